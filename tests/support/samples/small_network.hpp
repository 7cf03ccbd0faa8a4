#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/architectures/network.hpp>

namespace plumecast::testing {

/// A tiny network of an architecture: 3 channels, 2 fields, one block of each kind, padding of 2 cells.
NetworkConfig small_config(const std::string& architecture);

/// The same for three axes of space, its convolutions each time step on its own.
NetworkConfig small_config_3d(const std::string& architecture);

/// Inputs of small_config() on a grid: two maps and a time channel, fixed by the name and the case. `first` is the case
/// that the first of the batch is. On three space axes the maps have one axis more.
NetworkInput small_input(Backend& backend, const Shape& extents, std::int64_t batch, std::int64_t first = 0);

/// The same weights on every backend, spread so that every branch matters; running statistics off their defaults.
std::unique_ptr<Network> small_network(Backend& backend, const NetworkConfig& config,
                                       const ProcessGrid* grid = nullptr);

}  // namespace plumecast::testing
