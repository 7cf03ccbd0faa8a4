#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <plumecast/backend/ops.hpp>

namespace plumecast {

/// What names and shapes of arrays do not tell.
struct PublishedSettings {
    std::optional<Activation> activation = std::nullopt;  ///< that of the layout where there is none
    std::vector<std::int64_t> padding = {};               ///< of each axis of the published network; that of the layout
    /// Which axes [space..., T] of our network those of the published one are; the last ones where it has another
    /// number of axes.
    std::vector<bool> axes = {};
};

}  // namespace plumecast
