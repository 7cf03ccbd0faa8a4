#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace plumecast::cuda {

/// What kernels count in: 32 bits where every position fits, since a device divides 64 bits several times slower.
using NarrowPosition = std::uint32_t;
using WidePosition = std::int64_t;

/// The largest count of positions in 32 bits; a step from one index to a thread's next still fits beyond it.
inline constexpr std::int64_t most_narrow_positions = (std::int64_t{1} << 31) - 1;

/// Calls launch.template operator()<Position>() with the type that kernel(index) is to count in, for `count` indices.
/// A kernel that can count in 32 bits says by positions() how many positions it meets besides its indices; others count
/// in 64. `most` is the largest count for 32 bits.
template <class Kernel, class Launch>
void with_position_type(std::int64_t count, const Kernel& kernel, const Launch& launch,
                        std::int64_t most = most_narrow_positions) {
    if constexpr (requires { kernel.positions(); }) {
        if (std::max(count, kernel.positions()) <= most) {
            launch.template operator()<NarrowPosition>();
            return;
        }
    }
    launch.template operator()<WidePosition>();
}

/// Quotient and rest of a position by a number that is not known before, where a Divisor would not pay.
template <class Position>
struct Divided {
    Position quotient, rest;

    constexpr Divided(Position position, std::int64_t by)
        : quotient(position / static_cast<Position>(by)), rest(position - quotient * static_cast<Position>(by)) {}
};

/// A number that positions are divided by: in 32 bits by a product and a shift (Granlund and Montgomery 1994).
class Divisor {
   public:
    constexpr Divisor() : Divisor(1) {}
    /// Zero is the extent of an empty array, which has no positions to divide.
    constexpr explicit Divisor(std::int64_t value) : value_(value) {
        if (value_ > 0 && value_ <= most_narrow_positions) {
            shift_ = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(value_ - 1)));
            const std::uint64_t above = (std::uint64_t{1} << shift_) - static_cast<std::uint64_t>(value_);
            factor_ = static_cast<std::uint32_t>((above << 32) / static_cast<std::uint64_t>(value_) + 1);
        }
    }

    constexpr std::int64_t value() const { return value_; }
    /// position / value, for positions up to most_narrow_positions.
    constexpr NarrowPosition quotient(NarrowPosition position) const {
        const auto high = static_cast<std::uint32_t>((std::uint64_t{position} * factor_) >> 32);
        return (high + position) >> shift_;
    }
    constexpr WidePosition quotient(WidePosition position) const { return value_ > 0 ? position / value_ : position; }
    /// position mod value
    template <class Position>
    constexpr Position rest(Position position) const {
        return position - quotient(position) * static_cast<Position>(value_);
    }

   private:
    std::int64_t value_;
    std::uint32_t factor_ = 1;
    int shift_ = 0;
};

}  // namespace plumecast::cuda
