#pragma once

#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/conv/channels.hpp"
#include "backend/cuda/kernels/conv/products.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {

/// y = f(sum + bias + beta y), for a float32 sum of as many channels.
template <class Executor>
void KernelBackend<Executor>::finish_conv(ConstView sum, ConstView bias, OutputRef y, Activation f) {
    const std::int64_t channels = y.view.shape[-1];
    const kernel::ChannelMove move{.channels = channels,
                                   .from_channels = channels,
                                   .to_channels = channels,
                                   .bias = bias.data != nullptr ? bias.as<float>() : nullptr,
                                   .f = Pointwise(f),
                                   .beta = static_cast<float>(y.beta)};
    with_elements(
        [&](auto* to) {
            move_channels(executor_, y.view.shape.count(0, y.view.shape.rank() - 1), move, sum.as<float>(), to);
        },
        y.view);
}

template <class Executor>
void KernelBackend<Executor>::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                   ConstView bias, OutputRef y, Activation f) {
    const bool narrow = y.view.type == DType::bfloat16;
    Tensor sums = narrow ? Tensor(memory(), y.view.shape, DType::float32) : Tensor();
    float* out = narrow ? sums.view().template as<float>() : y.view.as<float>();
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        const ConvPart part(geometry, input.shape, y.view.shape, weight.shape, channel);
        const float beta = channel > 0 ? 1.0f : narrow ? 0.0f : static_cast<float>(y.beta);
        geometry.transposed ? fine_from_coarse(part, input, weight, out, beta)
                            : coarse_from_fine(part, input, weight, out, beta);
        channel += input.shape[4];
    }
    if (narrow) {
        finish_conv(sums, bias, y, f);
    } else if (bias.data != nullptr || !f.is_identity()) {
        finish_conv(y.view, bias, {y.view}, f);
    }
}

template <class Executor>
void KernelBackend<Executor>::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                                 std::span<const OutputRef> gradient_inputs) {
    std::int64_t channel = 0;
    for (const OutputRef& target : gradient_inputs) {
        const ConvPart part(geometry, target.view.shape, gradient_y.shape, weight.shape, channel);
        const bool narrow = target.view.type == DType::bfloat16;
        Tensor sums = narrow ? Tensor(memory(), target.view.shape, DType::float32) : Tensor();
        float* out = narrow ? sums.view().template as<float>() : target.view.as<float>();
        const float beta = narrow ? 0.0f : static_cast<float>(target.beta);
        geometry.transposed ? coarse_from_fine(part, gradient_y, weight, out, beta)
                            : fine_from_coarse(part, gradient_y, weight, out, beta);
        if (narrow) {
            add(1.0, sums, target);
        }
        channel += target.view.shape[4];
    }
}

template <class Executor>
void KernelBackend<Executor>::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                                   ConstView gradient_y, OutputRef gradient_weight) {
    float* w = gradient_weight.view.as<float>();
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        const ConvPart part(geometry, input.shape, gradient_y.shape, gradient_weight.view.shape, channel);
        const auto beta = static_cast<float>(gradient_weight.beta);
        geometry.transposed ? weight_from_both(part, input, gradient_y, w, beta)
                            : weight_from_both(part, gradient_y, input, w, beta);
        channel += input.shape[4];
    }
}

template <class Executor>
void KernelBackend<Executor>::coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse,
                                               float beta) {
    with_elements(
        [&](auto* x) {
            executor_.run(part.coarse.count(),
                          kernel::CoarseFromFine<Element<decltype(x)>>{
                              kernel::ConvIndex(part), x, weight.as<float>() + part.first_weight(), coarse, beta});
        },
        fine);
}

template <class Executor>
void KernelBackend<Executor>::fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine,
                                               float beta) {
    with_elements(
        [&](auto* y) {
            executor_.run(part.fine.count(),
                          kernel::FineFromCoarse<Element<decltype(y)>>{
                              kernel::ConvIndex(part), y, weight.as<float>() + part.first_weight(), fine, beta});
        },
        coarse);
}

template <class Executor>
void KernelBackend<Executor>::weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight,
                                               float beta) {
    const std::int64_t cells = part.coarse.count(0, 4), weights = part.packed().count();
    const std::int64_t pieces = piece_count(cells, weights);
    Tensor partial(memory(), {pieces, weights}, DType::float64);
    double* sums = partial.view().template as<double>();
    with_elements(
        [&](auto* y) {
            using T = Element<decltype(y)>;
            executor_.run(pieces * weights,
                          kernel::WeightSums<T>{kernel::ConvIndex(part), y, fine.as<T>(), sums, pieces});
        },
        coarse);
    const Tensor total = summed_rows(executor_, std::move(partial));
    executor_.run(weights,
                  kernel::UnpackChannels<double>{total.view().template as<double>(), weight + part.first_weight(),
                                                 part.weight[4], part.first_fine, part.fine[4], part.fine[4], beta});
}

}  // namespace plumecast::cuda
