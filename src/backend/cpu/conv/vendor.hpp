#pragma once

#include "backend/cpu/onednn.hpp"

namespace plumecast::cpu {

/// Convolutions of float32 fields through oneDNN in its NDHWC layout, one input of a concatenation at a time.
class OneDnnConv {
   public:
    explicit OneDnnConv(OneDnn& dnn) : dnn_(&dnn) {}

    /// Adds the share of one input, whose channels start at `channel` of the weight's inputs:
    /// y = f(conv(input) + bias + beta y) with beta 0 or 1.
    void forward(const ConvGeometry& geometry, ConstView input, std::int64_t channel, ConstView weight, ConstView bias,
                 OutputRef y, Activation f) const;
    /// Overwrites the gradient of one input; these primitives cannot accumulate.
    void data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight, std::int64_t channel,
                       View gradient_input) const;
    void weight_gradient(const ConvGeometry& geometry, ConstView input, std::int64_t channel, ConstView gradient_y,
                         OutputRef gradient_weight) const;

   private:
    OneDnn* dnn_;
};

}  // namespace plumecast::cpu
