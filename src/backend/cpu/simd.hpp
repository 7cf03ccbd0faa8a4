#pragma once

#include <cstdint>

#include "backend/cpu/bfloat16/kernels.hpp"
#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/field_kernels.hpp"

namespace plumecast::cpu {

/// Innermost loops, compiled once per instruction set; no allocation, no threads, plain pointers.
struct SimdKernels {
    const char* name;
    const ConvKernels* conv;
    const Bfloat16Kernels* bf16;
    const FieldKernels* fields;

    /// y[m, n] = f(sum_k a[m, k] x[k, n] + beta y[m, n]) for n in [0, columns); rows of x and y are `stride` apart.
    /// f(v) = v >= 0 ? v : slope * v.
    void (*rows_product)(const float* a, std::int64_t rows, std::int64_t depth, const float* x, float* y,
                         std::int64_t columns, std::int64_t stride, float beta, float slope);

    /// y[m] = sum_k x[m, k] w[k]; a row does not depend on the others.
    void (*vector_product)(const float* x, std::int64_t rows, std::int64_t depth, const float* w, float* y);

    /// One complex matrix (re [I, O], im [I, O]) times one planar vector.
    void (*complex_forward)(const float* x_re, const float* x_im, const float* w_re, const float* w_im, float* y_re,
                            float* y_im, std::int64_t inputs, std::int64_t outputs);
    /// The same with the conjugate transpose: gradient with respect to x.
    void (*complex_backward)(const float* g_re, const float* g_im, const float* w_re, const float* w_im, float* x_re,
                             float* x_im, std::int64_t inputs, std::int64_t outputs);
    /// The gradient with respect to the matrix: w = beta w + conj(x) g^T.
    void (*complex_outer)(const float* x_re, const float* x_im, const float* g_re, const float* g_im, float* w_re,
                          float* w_im, std::int64_t inputs, std::int64_t outputs, float beta);
};

const SimdKernels& simd_kernels_baseline();
const SimdKernels& simd_kernels_avx2();
const SimdKernels& simd_kernels_avx512();
/// Those of avx512 with instructions for bfloat16.
const SimdKernels& simd_kernels_avx512_bf16();

}  // namespace plumecast::cpu
