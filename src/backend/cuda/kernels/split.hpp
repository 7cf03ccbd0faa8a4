#pragma once

#include <bit>
#include <cstdint>

namespace plumecast::cuda {

/// The nearest number with ten bits of mantissa, which is what the matrix units take of a float32 factor ("TF32").
/// Infinities and NaN stay what they are.
constexpr float ten_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        return x;
    }
    return std::bit_cast<float>((bits + 0x0fffu + ((bits >> 13) & 1u)) & ~0x1fffu);
}

/// An array as the sum of two whose numbers have ten bits.
struct TenBitParts {
    const float *high, *low;
};

/// result = beta result + x w of two arrays in three products of their parts, the small ones first, so that their sum
/// is not lost; false where the first is refused. `product(x, w, beta)` does one; what takes the first takes all.
template <class Product>
bool in_three_products(const TenBitParts& x, const TenBitParts& w, float beta, const Product& product) {
    return product(x.low, w.high, beta) && product(x.high, w.low, 1.0f) && product(x.high, w.high, 1.0f);
}

namespace kernel {

/// x = high + low, up to 2^-22 of x once the matrix units round low as well. The product of two such numbers is
/// high high' + high low' + low high' up to 2^-21 of itself: three products with ten bits instead of one with 23
/// (Markidis et al. 2018; Ootomo and Yokota 2022).
struct Split {
    const float* x;
    float *high, *low;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        high[i] = ten_bits(x[i]);
        low[i] = ten_bits(x[i] - high[i]);
    }
};

}  // namespace kernel
}  // namespace plumecast::cuda
