#pragma once

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
    double (*least_weights)(const NetworkConfig& config);
};

/// All architectures; those of the public names come in the order of messages.
std::span<const Architecture> architectures();

/// Their names.
std::vector<std::string> names_of_architectures();

/// That of a name. Throws InvalidInput for an unknown one, naming the nearest.
const Architecture& architecture_of(std::string_view name);

}  // namespace plumecast
