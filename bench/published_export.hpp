#pragma once

#include <filesystem>

#include <plumecast/architectures/network.hpp>

namespace plumecast::bench {

/// Writes all weights and buffers of a network as a state dict under the published names and layouts, the inverse of
/// assign_published_weights(): channels first, spectral weights in four quadrants, complex values as pairs on a last
/// axis. Throws InvalidInput for a network without published names (cnn); IoError.
void write_published_weights(const std::filesystem::path& path, const Network& network);

}  // namespace plumecast::bench
