// Compiled once per instruction set, like simd_kernels.cpp and under the same rule.
#include "backend/cpu/bfloat16/kernels.hpp"

#include "backend/cpu/simd_rows.hpp"

namespace plumecast::cpu {
namespace {

void widen(const bfloat16* from, float* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        store<16>(to + i, load<16>(from + i));
    }
    for (; i < count; ++i) {
        to[i] = load_one(from + i);
    }
}

void narrow(const float* from, bfloat16* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        store<16>(to + i, load<16>(from + i));
    }
    for (; i < count; ++i) {
        store_one(to + i, from[i]);
    }
}

#ifdef __AVX512BF16__
constexpr bool has_units = true;
#else
constexpr bool has_units = false;
#endif

}  // namespace

const Bfloat16Kernels& PLUMECAST_BFLOAT16_FACTORY() {
    static constexpr Bfloat16Kernels kernels{has_units,
                                             widen,
                                             narrow,
                                             rows_product<bfloat16, float>,
                                             rows_product<float, bfloat16>,
                                             rows_product<bfloat16, bfloat16>};
    return kernels;
}

}  // namespace plumecast::cpu
