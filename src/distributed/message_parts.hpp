#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace plumecast
