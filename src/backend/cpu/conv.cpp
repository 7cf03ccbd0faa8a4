#include "backend/cpu/backend.hpp"
#include "backend/cpu/bfloat16/widened_conv.hpp"
#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/vendor.hpp"
#include "backend/cpu/conv/winograd_conv.hpp"
#include "backend/cpu/parallel.hpp"
#include "backend/cpu/piecewise_linear.hpp"

namespace plumecast::cpu {
namespace {

std::int64_t channels_of(std::span<const ConstView> inputs) {
    std::int64_t channels = 0;
    for (const ConstView& input : inputs) {
        channels += input.shape[4];
    }
    return channels;
}

/// What bfloat16 fields take where oneDNN has units for them.
const ConvChoice::Decision vendors_units{ConvChoice::Method::onednn, {}};

}  // namespace

void CpuBackend::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                      OutputRef y, Activation f) {
    if (y.view.type == DType::bfloat16 && !dnn_takes_bfloat16_) {
        return WidenedConv(*this).forward(geometry, inputs, weight, bias, y, f);
    }
    const ThreadScope scope(threads_);
    const ConvChoice::Decision choice =
        y.view.type == DType::bfloat16
            ? vendors_units
            : conv_choice_.forward(geometry, y.view.shape, inputs.front().shape, channels_of(inputs), y.view.shape[4]);
    if (choice.method != ConvChoice::Method::onednn) {
        if (choice.method == ConvChoice::Method::winograd) {
            WinogradConv(*simd_->conv, threads_, arena_)
                .forward(*choice.plan, geometry, inputs, weight, bias, y, negative_slope(f));
        } else {
            DirectConv(*simd_->conv, threads_, arena_).forward(geometry, inputs, weight, bias, y, negative_slope(f));
        }
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
    if (gradient_y.type == DType::bfloat16 && !dnn_takes_bfloat16_) {
        return WidenedConv(*this).data_gradient(geometry, gradient_y, weight, gradient_inputs);
    }
    const ThreadScope scope(threads_);
    std::int64_t channels = 0;
    for (const OutputRef& target : gradient_inputs) {
        channels += target.view.shape[4];
    }
    const ConvChoice::Decision choice =
        gradient_y.type == DType::bfloat16
            ? vendors_units
            : conv_choice_.data_gradient(geometry, gradient_inputs.front().view.shape, gradient_y.shape,
                                         gradient_y.shape[4], channels);
    switch (choice.method) {
        case ConvChoice::Method::winograd:
            return WinogradConv(*simd_->conv, threads_, arena_)
                .data_gradient(*choice.plan, geometry, gradient_y, weight, gradient_inputs);
        case ConvChoice::Method::direct:
            return DirectConv(*simd_->conv, threads_, arena_)
                .data_gradient(geometry, gradient_y, weight, gradient_inputs);
        case ConvChoice::Method::onednn:
            break;
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
    if (gradient_y.type == DType::bfloat16) {  // oneDNN 2.6 gives some of these sums wrong
        return WidenedConv(*this).weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }
    const ThreadScope scope(threads_);
    const ConvChoice::Decision choice = conv_choice_.weight_gradient(geometry, gradient_y.shape, inputs.front().shape,
                                                                     channels_of(inputs), gradient_y.shape[4]);
    switch (choice.method) {
        case ConvChoice::Method::winograd:
            return WinogradConv(*simd_->conv, threads_, arena_)
                .weight_gradient(*choice.plan, geometry, inputs, gradient_y, gradient_weight);
        case ConvChoice::Method::direct:
            return DirectConv(*simd_->conv, threads_, arena_)
                .weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        case ConvChoice::Method::onednn:
            break;
    }
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        OneDnnConv(dnn_).weight_gradient(geometry, input, channel, gradient_y, gradient_weight);
        channel += input.shape[4];
    }
}

}  // namespace plumecast::cpu
