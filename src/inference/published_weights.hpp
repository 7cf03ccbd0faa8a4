#pragma once

#include <string>

#include <plumecast/inference/field_network.hpp>
#include <plumecast/io/safetensors.hpp>

#include "inference/published/settings.hpp"

namespace plumecast {

/// A network whose weights a file holds.
struct PublishedNetwork {
    NetworkConfig config;
    std::string assumed;  ///< what the file does not tell and how it is taken, for people; may be empty
};

/// Architecture, width, modes, blocks and channels of a state dict, read off names and shapes: of U-FNO
/// (`conv1.fc0.weight`, `conv1.conv0.weights1`, `conv1.w0.weight`, `conv1.unet3.conv1.0.weight` ...), of the FNO of
/// its authors' scripts, or of the library neuraloperator. Complex tensors carry a trailing axis of 2. A network on one
/// or two axes becomes one on three, the others of one cell. Throws InvalidModel naming what is missing, contradicts
/// itself, or has no place in our networks; InvalidInput for a padding of less than 0 or more than 2^20 cells.
PublishedNetwork published_network(const SafetensorsFile& weights, const PublishedSettings& settings = {});

/// Copies such a state dict into a network of that configuration. Throws InvalidModel for a tensor that is missing, of
/// a wrong shape, or left over.
void assign_published_weights(const SafetensorsFile& weights, const Network& network);

/// Our parameter name -> the published tensor of a U-FNO that it is made of, such as `conv1.fc0.weight`; a spectral
/// weight is made of four whose names end in 1 to 4 after the one returned. Throws InvalidInput for a name of no
/// published network.
std::string published_name(const std::string& parameter);

}  // namespace plumecast
