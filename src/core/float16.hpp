#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace plumecast {

/// A number of IEEE 754's half precision (binary16): 5 bits of exponent, 10 of mantissa. Only read, as float, which has
/// every such number.
struct float16 {
    std::uint16_t bits = 0;

    explicit operator float() const {
        const int exponent = (bits >> 10) & 0x1f, mantissa = bits & 0x3ff;
        const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
        if (exponent == 0x1f) {  // infinite, or not a number
            return std::bit_cast<float>(sign | 0x7f800000U | static_cast<std::uint32_t>(mantissa) << 13);
        }
        const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                         : std::ldexp(static_cast<float>(mantissa + 0x400), exponent - 25);
        return sign == 0 ? size : -size;
    }
};

}  // namespace plumecast
