#pragma once

#include <cstdint>
#include <span>

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/conv/kernels.hpp"

namespace plumecast::cpu {

/// Convolutions by minimal filtering (Winograd 1980; Lavin and Gray 2016) over axes 1 and 2 and direct sums along
/// axis 3. Where results meet neighbouring inputs with two or three weights along both axes, F(2, 2) or F(2, 3): 9
/// products where a direct sum needs 16, 16 where it needs 36. That is kernel 3 with stride 1, forward and backward,
/// and a transposed kernel 4 with stride 2, whose even and odd results are convolutions of two weights each. Tiles of 2
/// x 2 lines are worked on one after the other, so that everything between input and output stays in the second-level
/// cache. Accumulates and concatenates in place, like DirectConv.
class WinogradConv {
   public:
    /// Scratch memory (transformed weights, some lines per thread) comes from `memory`.
    WinogradConv(const ConvKernels& kernels, int threads, MemoryResource& memory, Winograd tiles = Winograd::f2)
        : kernels_(&kernels), threads_(threads), memory_(&memory), tiles_(tiles) {}

    /// True where the method applies; `backward` for the data gradient, whose result has the shape of an input.
    static bool fits(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source);
    /// True where it applies and is expected to need less time than DirectConv for results from `depth` channels: few
    /// and shallow tiles do not pay for transformed weights and lines.
    static bool pays(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source,
                     std::int64_t depth);

    /// The same for weight_gradient, which does without transposed convolutions.
    static bool fits_weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& source);
    static bool pays_weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& source,
                                     std::int64_t depth);

    /// As Backend::conv with f(v) = v >= 0 ? v : slope * v.
    void forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 Target y, double slope) const;
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const Target> gradient_inputs) const;
    /// The tiles are cut into one piece per thread and the pieces added in order: same threads, same bits.
    void weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                         Target gradient_weight) const;

   private:
    const ConvKernels* kernels_;
    int threads_;
    MemoryResource* memory_;
    Winograd tiles_;
};

}  // namespace plumecast::cpu
