#pragma once

#include <cstdint>
#include <span>

#include <plumecast/backend/verbs.hpp>

#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {

/// Convolutions of stride 1 whose kernel is 3 along axes 1 and 2, by minimal filtering F(2x2, 3x3) over these two axes
/// (Winograd 1980; Lavin and Gray 2016) and direct sums along axis 3: 16 products where a direct sum needs 36. Tiles of
/// 2 x 2 lines are worked on one after the other, so that everything between input and output stays in the second-level
/// cache. Accumulates and concatenates in place, like DirectConv.
class WinogradConv {
   public:
    /// Scratch memory (transformed weights, some lines per thread) comes from `memory`.
    WinogradConv(const ConvKernels& kernels, int threads, MemoryResource& memory)
        : kernels_(&kernels), threads_(threads), memory_(&memory) {}

    /// True where the method applies.
    static bool fits(const ConvGeometry& geometry);
    /// True where it applies and is expected to need less time than DirectConv for results [B, s1, s2, s3, ...] from
    /// `depth` channels: few and shallow tiles do not pay for transformed weights and lines.
    static bool pays(const ConvGeometry& geometry, const Shape& result, std::int64_t depth);

    /// As Backend::conv with f(v) = v >= 0 ? v : slope * v.
    void forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 Target y, double slope) const;
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const Target> gradient_inputs) const;

   private:
    const ConvKernels* kernels_;
    int threads_;
    MemoryResource* memory_;
};

}  // namespace plumecast::cpu
