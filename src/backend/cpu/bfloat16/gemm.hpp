#pragma once

#include <functional>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// Matrix products of which a factor or the result is bfloat16: rows are widened while they are in the caches, products
/// and sums are float32, results are rounded once.
class MixedProduct {
   public:
    /// As Backend::gemm for float32 matrices, c = a^T b + beta c, on the calling thread.
    using Product = std::function<void(ConstView a, ConstView b, Target c)>;
    /// Activates numbers in place.
    using Activate = std::function<void(View y)>;

    /// Scratch memory comes from `memory`.
    MixedProduct(const SimdKernels& simd, int threads, MemoryResource& memory)
        : simd_(&simd), threads_(threads), memory_(&memory) {}

    /// c = f(a op(b) + beta c + bias), a [M, K]; f is v >= 0 ? v : slope v, then `activate`, if any. With the loops of
    /// the convolutions.
    void by_rows(bool transpose_b, ConstView a, ConstView b, Target c, ConstView bias, float slope,
                 const Activate& activate) const;
    /// c = a^T b + beta c for a [K, M], b [K, N]. The rows of a and b are cut into one piece per thread and the pieces
    /// added in order: same threads, same bits.
    void by_depth(ConstView a, ConstView b, Target c, const Product& product) const;

   private:
    const SimdKernels* simd_;
    int threads_;
    MemoryResource* memory_;
};

}  // namespace plumecast::cpu
