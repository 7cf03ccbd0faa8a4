#pragma once

#include <bit>
#include <cstdint>

namespace plumecast {

/// A float32 without its lower 16 bits: 8 bits of exponent, 7 of mantissa ("bfloat16"). A storage type: arithmetic is
/// done in float.
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    /// Rounds to nearest, ties to even; NaN stays NaN, what is too large becomes infinite.
    constexpr explicit bfloat16(float value) : bits(rounded(std::bit_cast<std::uint32_t>(value))) {}
    constexpr explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

   private:
    static constexpr std::uint16_t rounded(std::uint32_t wide) {
        const bool nan = (wide & 0x7fffffffu) > 0x7f800000u;
        const std::uint32_t quiet = wide | 0x00400000u;
        const std::uint32_t nearest = wide + 0x7fffu + ((wide >> 16) & 1u);
        return static_cast<std::uint16_t>((nan ? quiet : nearest) >> 16);
    }
};

}  // namespace plumecast
