#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/backend/ops.hpp>

#include "backend/cpu/conv/kernels.hpp"
#include "backend/cpu/scratch_memory.hpp"

namespace plumecast::cpu {

/// Convolutions straight on channels-last fields: lines of the last spatial axis are copied once between zero borders,
/// and blocks of points by output channels stay in registers over all taps and input channels. Accumulates and
/// concatenates in place, which oneDNN cannot.
class DirectConv {
   public:
    /// Scratch memory (rearranged weights, a few lines per thread) comes from `scratch`.
    DirectConv(const ConvKernels& kernels, int threads, ScratchMemory scratch)
        : kernels_(&kernels), threads_(threads), scratch_(scratch) {}

    /// As Backend::conv with f(v) = v >= 0 ? v : slope * v.
    void forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 OutputRef y, float slope) const;
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const OutputRef> gradient_inputs) const;
    /// The points are cut into one piece per thread and the pieces added in order: same threads, same bits.
    void weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                         OutputRef gradient_weight) const;

   private:
    const ConvKernels* kernels_;
    int threads_;
    ScratchMemory scratch_;
};

/// Channels [first, first + columns) that one call of a kernel computes together.
struct Panel {
    std::int64_t first;
    std::int64_t columns;
    std::int64_t vectors;
    std::int64_t offset;  ///< vectors before it
};

/// Cuts channels into panels of at most kernels.most_vectors vectors.
std::vector<Panel> panels(const ConvKernels& kernels, std::int64_t channels);

}  // namespace plumecast::cpu
