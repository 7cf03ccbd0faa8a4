#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <plumecast/distributed/communicator.hpp>

#include "distributed/message_parts.hpp"

namespace plumecast {

/// What a rank sends when each peer but itself gets so many elements.
inline Traffic traffic_of(const std::vector<std::int64_t>& counts, int self, std::size_t element_bytes) {
    Traffic traffic;
    for (std::size_t peer = 0; peer < counts.size(); ++peer) {
        if (static_cast<int>(peer) != self) {
            const std::int64_t bytes = counts[peer] * static_cast<std::int64_t>(element_bytes);
            traffic.bytes += bytes;
            traffic.messages += parts_of(bytes);
        }
    }
    return traffic;
}

}  // namespace plumecast
