#pragma once

#include <map>
#include <string>

#include <plumecast/inference/bundle.hpp>

namespace plumecast {

/// Space extents and T of the grid that a model was trained on; rank 0 where it does not say.
Shape grid_of_training(const Bundle& bundle);

/// A network as an ONNX file for cases on a grid of these extents [space..., T], any number at once, in float32: input
/// `channels` [batch, space..., T, C], normalised, in the order of the description; output `fields` [batch, space...,
/// T, F], normalised. A guided network takes the reduced physics too: `base` and `correction`, both like `fields`, of
/// which fields = base + correction * network. The metadata has the description (`plumecast.network`, JSON: names,
/// units, transforms, offsets, scales) and `plumecast.grid`, and what is given besides. Throws InvalidInput for a grid
/// that the network cannot use and for a network that ONNX cannot express, see onnx_file().
std::string exported_network(const FieldNetwork& network, const Shape& extents,
                             std::map<std::string, std::string> metadata = {});

}  // namespace plumecast
