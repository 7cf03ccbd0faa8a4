#pragma once

#include <functional>
#include <set>
#include <string>

#include <plumecast/architectures/network_config.hpp>
#include <plumecast/architectures/parameters.hpp>
#include <plumecast/io/safetensors.hpp>

#include "inference/published/settings.hpp"

namespace plumecast {

/// How the arrays of one file become the weights of a network.
struct PublishedLayout {
    NetworkConfig config;
    /// Values of one of our parameters in our layout; adds the names of the arrays read to `used`. Throws InvalidModel
    /// naming file and array.
    std::function<Tensor(const Parameter& parameter, std::set<std::string>& used)> values;
    /// Whether an array is of no use for predictions.
    std::function<bool(const std::string& name)> is_unused;
    /// What the file does not tell and how it is taken, for people; empty where it tells all.
    std::string assumed;
};

/// Networks of scripts that hold their layers one by one: U-FNO (Wen et al.), the FNO of 2020 to 2022 (Li et al.) and
/// PINO. Throws InvalidModel naming what is missing, contradicts itself, or has no place in our networks. `weights`
/// must outlive the layout.
PublishedLayout script_layout(const SafetensorsFile& weights, const PublishedSettings& settings);

/// Name of our parameter in a U-FNO, without a prefix; empty for a parameter of no published network.
std::string name_in_scripts(const std::string& parameter);

/// FNO and TFNO of the library neuraloperator, version 1 and later. Throws and keeps the same.
PublishedLayout neuraloperator_layout(const SafetensorsFile& weights, const PublishedSettings& settings);
/// Whether a file holds such a network.
bool is_of_neuraloperator(const SafetensorsFile& weights);

/// Fills the settings of a network on axes of its own, one for each of its modes, that a file tells nothing of: the
/// places of these among ours, before them axes of one cell without modes, so that there are three at least; no padding
/// or the one given, whose edges are zeros of the lifted field.
/// Throws InvalidModel for a padding of another number of axes.
void set_axes(const SafetensorsFile& weights, NetworkConfig& config, const PublishedSettings& settings);

}  // namespace plumecast
