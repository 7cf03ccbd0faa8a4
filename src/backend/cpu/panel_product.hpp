#pragma once

#include <functional>

#include <plumecast/backend/ops.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/scratch_memory.hpp"
#include "backend/cpu/simd.hpp"

namespace plumecast::cpu {

/// Matrix products with many rows and a small second factor, with the loops of the convolutions. Factors and result may
/// be bfloat16: rows are widened while they are in the caches, products and sums are float32, results are rounded once.
class PanelProduct {
   public:
    /// Activates numbers in place.
    using Activate = std::function<void(View y)>;

    PanelProduct(const SimdKernels& simd, int threads, ScratchMemory scratch)
        : simd_(&simd), threads_(threads), scratch_(scratch) {}

    /// Who computes a product: the functions below, or a library.
    enum class Way { by_rows, by_depth, library };
    Way way(bool transpose_a, bool transpose_b, ConstView a, ConstView b, ConstView c, ConstView bias,
            Activation f) const;

    /// c = f(a op(b) + beta c + bias), a [M, K]; f is v >= 0 ? v : slope v, then `activate`, if any. A row of c does
    /// not depend on how many rows there are.
    void by_rows(bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias, float slope,
                 const Activate& activate) const;
    /// c = a^T b + beta c for a [K, M], b [K, N]. The rows of a and b are cut into one piece per thread and the pieces
    /// added in order: same threads, same bits.
    void by_depth(ConstView a, ConstView b, OutputRef c) const;

   private:
    /// True where these loops beat a library on float32 matrices: the factor op(b) [rows, columns], or for by_depth()
    /// the result, stays in the second-level cache, and the instruction set multiplies and adds at once.
    bool suits(std::int64_t rows, std::int64_t columns) const;

    const SimdKernels* simd_;
    int threads_;
    ScratchMemory scratch_;
};

}  // namespace plumecast::cpu
