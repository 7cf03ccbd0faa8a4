#pragma once

#include <chrono>

namespace plumecast {

using Clock = std::chrono::steady_clock;

/// Wall time since `start` [s].
inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace plumecast
