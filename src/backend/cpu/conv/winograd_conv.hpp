#pragma once

#include <span>

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/conv/tile_plan.hpp"
#include "backend/cpu/scratch_memory.hpp"

namespace plumecast::cpu {

/// Winograd convolutions (Winograd 1980; Lavin and Gray 2016) over axes 1 and 2 and direct sums along
/// axis 3, see TilePlan. Kernels of three weights are filtered by F(2, 3) or F(4, 3). Those of stride 2 are sums over
/// the even and the odd points of the larger grid, or give its even and odd points, with two weights each, filtered by
/// F(2, 2) or F(4, 2). Tiles are worked on one after the other, so that everything between input and output stays in
/// the second-level cache. Accumulates and concatenates in place, like DirectConv.
class WinogradConv {
   public:
    /// Scratch memory (transformed weights, some lines per thread) comes from `scratch`.
    WinogradConv(const ConvKernels& kernels, int threads, ScratchMemory scratch)
        : kernels_(&kernels), threads_(threads), scratch_(scratch) {}

    /// As Backend::conv with f(v) = v >= 0 ? v : slope * v.
    void forward(const TilePlan& plan, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                 ConstView weight, ConstView bias, OutputRef y, float slope) const;
    void data_gradient(const TilePlan& plan, const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const OutputRef> gradient_inputs) const;
    /// With TilePlan::make_gradient. The tiles are cut into one piece per thread and the pieces added in order: same
    /// threads, same bits.
    void weight_gradient(const TilePlan& plan, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                         ConstView gradient_y, OutputRef gradient_weight) const;

   private:
    const ConvKernels* kernels_;
    int threads_;
    ScratchMemory scratch_;
};

}  // namespace plumecast::cpu
