#pragma once

#include <cstdint>

#include <plumecast/core/bfloat16.hpp>

namespace plumecast::cpu {

/// Innermost loops on bfloat16 numbers, compiled once per instruction set like SimdKernels.
struct Bfloat16Kernels {
    bool has_units;  ///< the set multiplies bfloat16 numbers

    void (*widen)(const bfloat16* from, float* to, std::int64_t count);
    /// Rounds to nearest, ties to even. With AVX512_BF16 numbers below the smallest normal one become zero.
    void (*narrow)(const float* from, bfloat16* to, std::int64_t count);

    /// SimdKernels::rows_product with x, y, or both in bfloat16.
    void (*rows_product_from)(const float* a, std::int64_t rows, std::int64_t depth, const bfloat16* x, float* y,
                              std::int64_t columns, std::int64_t stride, float beta, float slope);
    void (*rows_product_to)(const float* a, std::int64_t rows, std::int64_t depth, const float* x, bfloat16* y,
                            std::int64_t columns, std::int64_t stride, float beta, float slope);
    void (*rows_product_both)(const float* a, std::int64_t rows, std::int64_t depth, const bfloat16* x, bfloat16* y,
                              std::int64_t columns, std::int64_t stride, float beta, float slope);
};

const Bfloat16Kernels& bfloat16_kernels_baseline();
const Bfloat16Kernels& bfloat16_kernels_avx2();
const Bfloat16Kernels& bfloat16_kernels_avx512();
const Bfloat16Kernels& bfloat16_kernels_avx512_bf16();

}  // namespace plumecast::cpu
