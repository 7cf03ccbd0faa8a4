#pragma once

#include <span>

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/conv/choice.hpp"
#include "backend/cpu/scratch_memory.hpp"

namespace plumecast::cpu {

/// Convolutions of float32 fields by kernels of our own, in tiles or by direct sums, whichever ConvChoice takes.
/// Each function is false, and has done nothing, where a library is to convolve.
class OwnConv {
   public:
    OwnConv(const ConvKernels& kernels, const ConvChoice& choice, int threads, ScratchMemory scratch)
        : kernels_(&kernels), choice_(&choice), threads_(threads), scratch_(scratch) {}

    /// As Backend::conv with f(v) = v >= 0 ? v : slope * v.
    bool forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 OutputRef y, float slope) const;
    bool data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const OutputRef> gradient_inputs) const;
    bool weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                         OutputRef gradient_weight) const;

   private:
    const ConvKernels* kernels_;
    const ConvChoice* choice_;
    int threads_;
    ScratchMemory scratch_;
};

}  // namespace plumecast::cpu
