#pragma once

#include <span>

#include <plumecast/backend/backend.hpp>

namespace plumecast::cpu {

/// Convolutions of bfloat16 fields through copies in float32, case by case: what fits any geometry and processor.
class WidenedConv {
   public:
    explicit WidenedConv(Backend& backend) : backend_(&backend) {}

    /// As the verbs of the same names.
    void forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                 Target y, Activation f) const;
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                       std::span<const Target> gradient_inputs) const;
    void weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                         Target gradient_weight) const;

   private:
    Tensor widened(ConstView field) const;

    Backend* backend_;
};

}  // namespace plumecast::cpu
