#include <plumecast/architectures/network_config.hpp>

#include <algorithm>

#include <plumecast/core/error.hpp>

#include "architectures/architecture.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t most_members = 64;

void require(bool condition, const std::string& entry, const std::string& why, const std::string& remedy) {
    if (!condition) {
        throw InvalidInput("network entry '" + entry + "' cannot be used (" + why + "); " + remedy);
    }
}

void require_at_least(std::int64_t least, std::int64_t value, const std::string& entry) {
    require(value >= least, entry, std::to_string(value) + " is too small",
            "set it to " + std::to_string(least) + " or more");
}

void require_axes(const NetworkConfig& config) {
    const std::string axes = std::to_string(config.modes.size());
    require(config.modes.size() >= 2, "modes", "it has " + axes + " entries",
            "set one count per space axis and one for time");
    const bool convolves = architecture_of(config.architecture).convolves;
    require(!convolves || config.modes.size() == 3 || config.modes.size() == 4, "modes",
            "convolutions work on two or three axes of space and time, not on " + axes + " axes",
            "set three or four counts, or architecture 'fno'");
    require(config.padding.size() == config.modes.size(), "padding", "modes has " + axes + " entries",
            "set as many cells");
    require(config.edges.size() == config.modes.size(), "edges", "modes has " + axes + " entries", "set as many edges");
    for (std::size_t axis = 0; axis < config.modes.size(); ++axis) {
        require_at_least(0, config.modes[axis], "modes");
        require_at_least(0, config.padding[axis], "padding");
    }
}

/// Of axes without modes, which have one point and keep it.
void require_untransformed(const NetworkConfig& config) {
    const bool halves = architecture_of(config.architecture).halves();
    const auto is_there = [](std::int64_t kept) { return kept > 0; };
    require(std::ranges::any_of(config.modes, is_there), "modes", "all are 0", "set one of them to 1 or more");
    require(!halves || std::all_of(config.modes.begin(), config.modes.end() - 1, is_there), "modes",
            config.architecture + " halves every axis of space", "set them to 1 or more in space");
    require(!halves || is_there(config.modes.back()) || !config.time_strides, "modes",
            config.architecture + " halves time, which has none", "set it to 1 or more, or time_strides to false");
    for (std::size_t axis = 0; axis < config.modes.size(); ++axis) {
        require(is_there(config.modes[axis]) || config.padding[axis] == 0, "padding",
                "an axis without modes has one point, and no more", "set it to 0 there, or modes to 1 or more");
    }
}

}  // namespace

NetworkConfig NetworkConfig::published(const std::string& architecture) {
    NetworkConfig config;
    config.architecture = architecture;
    for (const Architecture& one : architectures()) {
        if (one.name == architecture && one.set_usual != nullptr) {
            one.set_usual(config);
        }
    }
    return config;
}

NetworkConfig NetworkConfig::three_dimensional(const std::string& architecture) {
    NetworkConfig config = published(architecture);
    for (const Architecture& one : architectures()) {
        config.width = one.name == architecture ? one.width_3d : config.width;
    }
    config.modes = {4, 8, 8, 6};
    config.padding = {4, 8, 8, 8};
    config.edges = {Padding::Edge::zero, Padding::Edge::replicate, Padding::Edge::replicate, Padding::Edge::replicate};
    config.time_kernel = 1;
    config.time_strides = false;
    return config;
}

void NetworkConfig::check() const {
    const Architecture& kind = architecture_of(architecture);  // throws where there is none of that name
    require_at_least(1, channels, "channels");
    require_at_least(1, fields, "fields");
    require_at_least(1, width, "width");
    require_at_least(1, hidden, "hidden");
    require_axes(*this);
    require_untransformed(*this);
    require_at_least(0, fourier_blocks, "fourier_blocks");
    require_at_least(0, extended_blocks, "extended_blocks");
    require_at_least(0, residual_blocks, "residual_blocks");
    require_at_least(0, lifting, "lifting");
    require_at_least(0, spectral_mlp, "spectral_mlp");
    require_at_least(0, channel_mlp, "channel_mlp");
    require(!pad_lifted || lifting == 0, "pad_lifted", "a hidden layer of the lift would fill the zeros",
            "set it to false, or lifting to 0");
    require_at_least(fourier_blocks + extended_blocks > 0 ? 0 : 1, fourier_blocks, "fourier_blocks");
    require(!kind.is_plain || extended_blocks == 0, "extended_blocks", architecture + " has plain blocks only",
            "set it to 0, or architecture 'conv_fno' or 'ufno'");
    require_at_least(1, members, "members");
    require(members <= most_members, "members", "more than " + std::to_string(most_members) + " are of no use",
            "set it to 4");
    require_at_least(1, padded_multiple, "padded_multiple");
    require(time_kernel >= 1 && time_kernel % 2 == 1, "time_kernel", "it must be odd to be centred on a time step",
            "set it to 1 or 3");
    require(time_kernel > 1 || !time_strides, "time_strides",
            "a kernel of one time step would leave out every other one", "set it to false, or time_kernel to 3");
    const std::string multiple = std::to_string(kind.multiple);
    require(padded_multiple % kind.multiple == 0, "padded_multiple",
            "the levels of halving need a multiple of " + multiple, "set it to " + multiple);
}

std::vector<std::string> NetworkConfig::unread() const {
    if (!architecture_of(architecture).ignores_modes) {
        return {};
    }
    const NetworkConfig usual = modes.size() == 4 ? three_dimensional(architecture) : published(architecture);
    std::vector<std::string> names;
    if (modes != usual.modes) {
        names.emplace_back("modes");
    }
    if (fourier_blocks != usual.fourier_blocks) {
        names.emplace_back("fourier_blocks");
    }
    if (extended_blocks != usual.extended_blocks) {
        names.emplace_back("extended_blocks");
    }
    return names;
}

Shape NetworkConfig::padded(const Shape& extents) const {
    Shape result;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const std::int64_t cells = extents[axis] + padding[static_cast<std::size_t>(axis)];
        const bool is_time = axis + 1 == extents.rank(), stays = modes[static_cast<std::size_t>(axis)] == 0;
        const std::int64_t multiple = stays || (is_time && !time_strides) ? 1 : padded_multiple;
        result = result.append((cells + multiple - 1) / multiple * multiple);
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

std::vector<std::string> architecture_names() { return names_of_architectures(); }

}  // namespace plumecast
