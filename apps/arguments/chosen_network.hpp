#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include <plumecast/inference/bundle.hpp>

namespace plumecast::app {

/// Adds `--field NAME` and `--grid Z,R,T`, shared by subcommands that look at one network.
void add_chosen_network(CLI::App& app, std::string& field, std::vector<std::int64_t>& grid);

/// "gas_saturation, pressure_buildup".
std::string fields_text(const BundleNetwork& entry);
/// The network that predicts the field, or the only one. Throws InvalidInput that lists what there is.
const BundleNetwork& chosen_network(const Bundle& bundle, const std::string& field);
/// Cells and times asked for, or those of the training where nothing was. Throws InvalidInput where they do not fit the
/// network, or the model does not say.
Shape chosen_grid(const std::vector<std::int64_t>& asked, const Bundle& bundle, const NetworkConfig& network);

}  // namespace plumecast::app
