#pragma once

#include <string>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {

/// Architecture, width, modes, blocks and channels of a state dict under the published names (`conv1.fc0.weight`,
/// `conv1.conv0.weights1`, `conv1.w0.weight`, `conv1.unet3.conv1.0.weight` ...), read off names and shapes.
/// Complex tensors carry a trailing axis of 2. Throws InvalidModel naming what is missing or contradicts itself.
NetworkConfig infer_published_config(const SafetensorsFile& weights);

/// Copies such a state dict into a network of that configuration. Throws InvalidModel for a tensor that is missing, of
/// a wrong shape, or left over.
void assign_published_weights(const SafetensorsFile& weights, const Network& network);

/// Our parameter name -> the published tensor it is made of, such as `conv1.fc0.weight`; a spectral weight is made of
/// four whose names end in 1 to 4 after the one returned. Throws InvalidInput for a name of no published network.
std::string published_name(const std::string& parameter);

}  // namespace plumecast
