#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// Longest message that is sent in one piece: MPI 3 counts bytes with an int.
inline constexpr std::int64_t largest_part = std::int64_t{1} << 30;

/// Number of messages that carry so many bytes.
constexpr std::int64_t parts_of(std::int64_t bytes) { return (bytes + largest_part - 1) / largest_part; }

/// Calls use(part) with those messages, in order.
template <class Bytes, class Use>
void each_part(std::span<Bytes> bytes, const Use& use) {
    const auto part = static_cast<std::size_t>(largest_part);
    for (std::size_t begin = 0; begin < bytes.size(); begin += part) {
        use(bytes.subspan(begin, std::min(part, bytes.size() - begin)));
    }
}

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
