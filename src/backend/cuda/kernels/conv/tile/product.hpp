#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <plumecast/core/bfloat16.hpp>

#include "backend/cuda/kernels/conv/tile/unrolled.hpp"

/// What tensor cores multiply. A warp's lane holds, with g = lane / 4 and t = lane % 4, of the 16 x 8 sums those of
/// rows g and g + 8 and columns 2t and 2t + 1; of the first factor, rows g and g + 8 of two chunks, 4 bytes from byte
/// 4t on of each; of the second factor, column g, the same 4 bytes of both chunks.
namespace plumecast::cuda::tile {

/// Lane's share of a 16 x 8 sum: row g, then row g + 8.
using Quad = std::array<float, 4>;
/// Of a first factor: (row g, chunk 0), (row g + 8, chunk 0), (row g, chunk 1), (row g + 8, chunk 1).
using RowWords = std::array<std::uint32_t, 4>;
/// Of a second factor: (chunk 0, column g), (chunk 1, column g); aligned, so that one access moves both.
struct alignas(8) ColumnWords {
    std::array<std::uint32_t, 2> words;
};

/// bfloat16 fields and weights, products exact, sums in float32.
struct BFloat16Product {
    using Element = bfloat16;
    using Rows = RowWords;
    using Columns = ColumnWords;

    static constexpr Rows rows(const RowWords& words) { return words; }
    static constexpr Columns columns(const ColumnWords& words) { return words; }
    /// Two weights of neighbouring channels.
    static constexpr std::uint32_t word(float first, float second) {
        return bfloat16(first).bits | static_cast<std::uint32_t>(bfloat16(second).bits) << 16;
    }
    template <class Warp>
    static constexpr void multiply(Warp& warp, typename Warp::template PerLane<Quad>& sums,
                                   const typename Warp::template PerLane<Rows>& a,
                                   const typename Warp::template PerLane<Columns>& b) {
        warp.multiply_bfloat16(
            sums, [&](int lane) { return a[lane]; }, [&](int lane) { return b[lane].words; });
    }
};

/// To the nearest number with ten bits of mantissa, ties away from zero, as the device's own conversion does it;
/// infinities and NaN stay what they are.
constexpr float ten_bits_ties_away(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return (bits & 0x7f800000u) == 0x7f800000u ? x : std::bit_cast<float>((bits + 0x1000u) & ~0x1fffu);
}
template <std::same_as<float> Number>  // on a device it is no constant expression, which compilers accept in templates
constexpr std::uint32_t ten_bit_word(Number x) {
#ifdef __CUDA_ARCH__
    std::uint32_t word = 0;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(x));
    return word;
#else
    return std::bit_cast<std::uint32_t>(ten_bits_ties_away(x));
#endif
}

/// float32 fields and weights on units that take ten bits of mantissa. In parts, x = high + low up to 2^-22 of x, and a
/// product is high high' + high low' + low high' up to 2^-21 of itself (kernels/split.hpp); else high high' alone.
template <bool in_parts>
struct TenBitProduct {
    using Element = float;
    struct RowParts {
        RowWords high, low;
    };
    struct alignas(16) ColumnParts {
        std::array<std::uint32_t, 2> high, low;
    };
    using Rows = std::conditional_t<in_parts, RowParts, RowWords>;
    using Columns = std::conditional_t<in_parts, ColumnParts, ColumnWords>;

    static constexpr Rows rows(const RowWords& words) {
        if constexpr (in_parts) {
            return {high(words), low(words)};
        } else {
            return high(words);
        }
    }
    static constexpr Columns columns(const ColumnWords& of) {
        if constexpr (in_parts) {
            return {high(of.words), low(of.words)};
        } else {
            return {high(of.words)};
        }
    }
    template <class Warp>
    static constexpr void multiply(Warp& warp, typename Warp::template PerLane<Quad>& sums,
                                   const typename Warp::template PerLane<Rows>& a,
                                   const typename Warp::template PerLane<Columns>& b) {
        if constexpr (in_parts) {
            // The units cut sums off instead of rounding them, by up to 2^-23 each time: over thousands of channels and
            // taps that would be more than the parts save. So a step's sum begins at zero, the small products first,
            // and is added outside the units, rounded (Ootomo and Yokota 2022).
            typename Warp::template PerLane<Quad> step{};
            warp.multiply_ten_bits(
                step, [&](int lane) { return a[lane].low; }, [&](int lane) { return b[lane].high; });
            warp.multiply_ten_bits(
                step, [&](int lane) { return a[lane].high; }, [&](int lane) { return b[lane].low; });
            warp.multiply_ten_bits(
                step, [&](int lane) { return a[lane].high; }, [&](int lane) { return b[lane].high; });
            warp.each_lane([&](int lane) { unrolled<4>([&](auto i) { sums[lane][i] += step[lane][i]; }); });
        } else {
            warp.multiply_ten_bits(
                sums, [&](int lane) { return a[lane]; }, [&](int lane) { return b[lane].words; });
        }
    }

   private:
    template <class Words>
    static constexpr Words high(const Words& words) {
        Words result{};
        for (std::size_t i = 0; i < words.size(); ++i) {
            result[i] = ten_bit_word(std::bit_cast<float>(words[i]));
        }
        return result;
    }
    template <class Words>
    static constexpr Words low(const Words& words) {
        Words result = high(words);
        for (std::size_t i = 0; i < words.size(); ++i) {
            result[i] = ten_bit_word(std::bit_cast<float>(words[i]) - std::bit_cast<float>(result[i]));
        }
        return result;
    }
};

}  // namespace plumecast::cuda::tile
