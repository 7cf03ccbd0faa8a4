#include "backend/cpu/backend.hpp"
#include "backend/cpu/bfloat16/widened_conv.hpp"
#include "backend/cpu/conv/own_conv.hpp"
#include "backend/cpu/conv/vendor.hpp"
#include "backend/cpu/parallel.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {

OwnConv CpuBackend::own_conv() { return {*simd_->conv, conv_choice_, threads_, {&arena_}}; }

void CpuBackend::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                      OutputRef y, Activation f) {
    if (y.view.type == DType::bfloat16) {
        return WidenedConv(*this).forward(geometry, inputs, weight, bias, y, f);
    }
    const ThreadScope scope(threads_);
    if (own_conv().forward(geometry, inputs, weight, bias, y, negative_slope(f))) {
        if (!is_piecewise_linear(f)) {
            activate(f, y.view, y.view);
        }
        return;
    }
    std::int64_t channel = 0;
    for (std::size_t part = 0; part < inputs.size(); ++part) {
        const bool first = part == 0, last = part + 1 == inputs.size();
        OneDnnConv(dnn_).forward(geometry, inputs[part], channel, weight, first ? bias : ConstView(),
                                 {y.view, first ? y.beta : 1.0}, last ? f : Activation::identity());
        channel += inputs[part].shape[4];
    }
}

void CpuBackend::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                    std::span<const OutputRef> gradient_inputs) {
    if (gradient_y.type == DType::bfloat16) {
        return WidenedConv(*this).data_gradient(geometry, gradient_y, weight, gradient_inputs);
    }
    const ThreadScope scope(threads_);
    if (own_conv().data_gradient(geometry, gradient_y, weight, gradient_inputs)) {
        return;
    }
    std::int64_t channel = 0;
    for (const OutputRef& target : gradient_inputs) {
        const Shape& shape = target.view.shape;
        // oneDNN cannot accumulate here, so what must be added goes through a temporary.
        Tensor apart = target.beta != 0.0 ? Tensor(arena_, shape, target.view.type) : Tensor();
        OneDnnConv(dnn_).data_gradient(geometry, gradient_y, weight, channel,
                                       apart.empty() ? target.view : apart.view());
        if (!apart.empty()) {
            add(1.0, apart, target);
        }
        channel += shape[4];
    }
}

void CpuBackend::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                      ConstView gradient_y, OutputRef gradient_weight) {
    if (gradient_y.type == DType::bfloat16) {
        return WidenedConv(*this).weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }
    const ThreadScope scope(threads_);
    if (own_conv().weight_gradient(geometry, inputs, gradient_y, gradient_weight)) {
        return;
    }
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        OneDnnConv(dnn_).weight_gradient(geometry, input, channel, gradient_y, gradient_weight);
        channel += input.shape[4];
    }
}

}  // namespace plumecast::cpu
