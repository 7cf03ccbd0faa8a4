#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/blocks.hpp"

namespace plumecast {

/// What a network does between the lift to the padded grid and its prediction, by name.
struct Architecture {
    const char* name;
    /// The lifted field [B, padded space..., T, width] to the prediction [B, space..., T, fields]. `extents` are those
    /// of space and time before padding.
    Value (*body)(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics);
    /// At most as many numbers as the weights of the body hold, from the largest of them. A model file that names
    /// millions of modes or blocks is refused by it before they are described. Nullptr is no bound.
    double (*least_weights)(const NetworkConfig& config) = nullptr;
    /// What differs from the defaults of NetworkConfig in the published or usual network; nullptr for nothing.
    void (*set_usual)(NetworkConfig& config) = nullptr;
    /// Channels of the usual network for three axes of space.
    std::int64_t width_3d = 20;
    /// Extents after padding must be multiples of it.
    std::int64_t multiple = 1;
    /// Whether it has convolutions, which take two or three axes of space.
    bool convolves = false;
    /// Whether extended blocks are refused, or modes and blocks not read.
    bool is_plain = false, ignores_modes = false;

    /// Whether its convolutions halve the grid, so that every axis of space needs cells to halve.
    constexpr bool halves() const { return convolves && multiple > 1; }
};

/// All architectures; those of the public names come in the order of messages.
std::span<const Architecture> architectures();

/// Their names.
std::vector<std::string> names_of_architectures();

/// That of a name. Throws InvalidInput for an unknown one, naming the nearest.
const Architecture& architecture_of(std::string_view name);

}  // namespace plumecast
