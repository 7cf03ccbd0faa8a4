#pragma once

#include <span>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast::cpu {

/// Convolutions of bfloat16 fields by those of float32 ones: slab by slab along axis 1 the fields are widened,
/// convolved and rounded. A slab stays in the caches, so memory holds and moves bfloat16, and every geometry and kernel
/// of the float32 convolutions serves.
class WidenedConv {
   public:
    explicit WidenedConv(Backend& backend) : backend_(&backend) {}

    /// As the ops of the same names.
    void forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 OutputRef y, Activation f) const;
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const OutputRef> gradient_inputs) const;
    void weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                         OutputRef gradient_weight) const;

   private:
    Tensor widened(ConstView field) const;
    Tensor place_for(OutputRef result) const;

    Backend* backend_;
};

/// Rows of a result along axis 1 and the rows of the source that they depend on, with the geometry between the two.
struct ConvSlab {
    std::int64_t low, high;
    std::int64_t source_low, source_high;
    ConvGeometry geometry;
};

/// Cuts a result into slabs of `height` rows. Gathering, row o reads rows o stride + k - padding of the source;
/// scattering, the converse. One slab where a cut would leave some without a source.
std::vector<ConvSlab> conv_slabs(const ConvGeometry& geometry, bool gathers, std::int64_t rows,
                                 std::int64_t source_rows, std::int64_t height);

}  // namespace plumecast::cpu
