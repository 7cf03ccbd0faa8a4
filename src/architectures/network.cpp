#include <plumecast/architectures/network.hpp>

#include <algorithm>
#include <utility>

#include <plumecast/core/json.hpp>

#include "architectures/cnn.hpp"
#include "architectures/fourier_network.hpp"

namespace plumecast {
namespace {

void require(bool condition, const std::string& entry, const std::string& why) {
    if (!condition) {
        throw InvalidInput("network entry '" + entry + "' cannot be used (" + why + "); correct it");
    }
}

}  // namespace

NetworkConfig NetworkConfig::published(const std::string& architecture) {
    NetworkConfig config;
    config.architecture = architecture;
    if (architecture == "fno") {
        config.fourier_blocks = 6;
        config.extended_blocks = 0;
    }
    if (architecture == "cnn") {
        config.width = 32;
    }
    return config;
}

void NetworkConfig::check() const {
    const std::vector<std::string> names = architecture_names();
    if (std::ranges::find(names, architecture) == names.end()) {
        const std::string near = nearest(architecture, names);
        throw InvalidInput("unknown architecture '" + architecture + "' (known: fno, conv_fno, ufno, cnn); " +
                           (near.empty() ? "choose one of them" : "did you mean '" + near + "'?"));
    }
    require(channels >= 1, "channels", "a network needs at least one input channel");
    require(fields >= 1, "fields", "a network needs at least one output field");
    require(width >= 1, "width", "it must be 1 or more");
    require(hidden >= 1, "hidden", "it must be 1 or more");
    require(modes.size() >= 2, "modes", "it needs one count per space axis and one for time");
    require(padding.size() == modes.size(), "padding", "it needs as many entries as modes");
    require(edges.size() == modes.size(), "edges", "it needs as many entries as modes");
    require(std::ranges::all_of(padding, [](auto cells) { return cells >= 0; }), "padding", "cells are 0 or more");
    require(std::ranges::all_of(modes, [](auto count) { return count >= 1; }), "modes", "counts are 1 or more");
    require(fourier_blocks >= 0 && extended_blocks >= 0 && fourier_blocks + extended_blocks >= 1, "fourier_blocks",
            "a network needs at least one block");
    require(architecture != "fno" || extended_blocks == 0, "extended_blocks", "fno has plain blocks only");
    const bool convolves = architecture == "cnn" || architecture == "ufno";
    require(padded_multiple >= 1 && (!convolves || padded_multiple % 8 == 0), "padded_multiple",
            "three levels of halving need a multiple of 8");
}

Shape NetworkConfig::padded(const Shape& extents) const {
    Shape result;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const std::int64_t cells = extents[axis] + padding[static_cast<std::size_t>(axis)];
        result = result.append((cells + padded_multiple - 1) / padded_multiple * padded_multiple);
    }
    return result;
}

Padding NetworkConfig::padding_of(const Shape& extents) const {
    Padding result;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        result.axes.push_back({extents[axis], edges[static_cast<std::size_t>(axis)]});
    }
    return result;
}

Network::Network(Backend& backend, NetworkConfig config, std::uint64_t seed)
    : config_(std::move(config)),
      parameters_(backend, seed),
      lift_(Scope(parameters_).child("lift"), config_.channels, config_.width) {}

Variable Network::forward(const NetworkInput& input, Mode mode) const {
    if (input.extents.rank() != static_cast<int>(config_.modes.size())) {
        throw InvalidInput("input grid " + input.extents.text() + " (the network has " +
                           std::to_string(config_.modes.size()) +
                           " axes, time included); use a model for this kind of grid");
    }
    const Padding padding = config_.padding_of(input.extents);
    return body(lift_(input.groups, input.batch, padding, config_.padded(input.extents)), input.extents, mode);
}

std::vector<std::string> architecture_names() { return {"fno", "conv_fno", "ufno", "cnn"}; }

std::unique_ptr<Network> make_network(Backend& backend, const NetworkConfig& config, std::uint64_t seed) {
    config.check();
    if (config.architecture == "cnn") {
        return std::make_unique<Cnn>(backend, config, seed);
    }
    return std::make_unique<FourierNetwork>(backend, config, seed);
}

}  // namespace plumecast
