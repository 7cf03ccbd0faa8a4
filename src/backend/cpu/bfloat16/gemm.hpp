#pragma once

#include <functional>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// Matrix products with bfloat16 factors or results as float32 products of blocks of rows, widened while they are in
/// the second-level cache.
class BlockedProduct {
   public:
    /// As Backend::gemm for float32 matrices, on the calling thread.
    using Product = std::function<void(bool transpose_a, bool transpose_b, ConstView a, ConstView b, Target c,
                                       ConstView bias, Activation f)>;

    BlockedProduct(const SimdKernels& simd, int threads, MemoryResource& memory, Product product)
        : simd_(&simd), threads_(threads), memory_(&memory), product_(std::move(product)) {}

    /// As Backend::gemm. The rows of a transposed a are cut into one piece per thread and the pieces added in order.
    void operator()(bool transpose_a, bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias,
                    Activation f) const;

   private:
    Tensor widened(ConstView matrix) const;
    void by_rows(bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias, Activation f) const;
    void by_depth(ConstView a, ConstView b, Target c) const;

    const SimdKernels* simd_;
    int threads_;
    MemoryResource* memory_;
    Product product_;
};

}  // namespace plumecast::cpu
