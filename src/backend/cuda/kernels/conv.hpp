#pragma once

#include <cstdint>
#include <utility>

#include "backend/cuda/kernels/backend.hpp"
#include "backend/cuda/kernels/conv_kernels.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {
template <class Executor>
void KernelBackend<Executor>::add_bias_and_activate(View y, ConstView bias, Activation f) {
    if (bias.data != nullptr || !f.is_identity()) {
        const float* constant = bias.data != nullptr ? bias.as<float>() : nullptr;
        executor_.run(y.shape.count(), kernel::BiasActivate{y.as<float>(), constant, y.shape[-1], Pointwise(f)});
    }
}

template <class Executor>
void KernelBackend<Executor>::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                   ConstView bias, Target y, Activation f) {
    const float* w = weight.as<float>();
    float* out = y.view.as<float>();
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        const ConvPart part(geometry, input.shape, y.view.shape, weight.shape, channel);
        const float beta = channel == 0 ? static_cast<float>(y.beta) : 1.0f;
        geometry.transposed ? fine_from_coarse(part, input.as<float>(), w, out, beta)
                            : coarse_from_fine(part, input.as<float>(), w, out, beta);
        channel += input.shape[4];
    }
    add_bias_and_activate(y.view, bias, f);
}

template <class Executor>
void KernelBackend<Executor>::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                                 std::span<const Target> gradient_inputs) {
    const float *w = weight.as<float>(), *g = gradient_y.as<float>();
    std::int64_t channel = 0;
    for (const Target& target : gradient_inputs) {
        const ConvPart part(geometry, target.view.shape, gradient_y.shape, weight.shape, channel);
        const auto beta = static_cast<float>(target.beta);
        geometry.transposed ? coarse_from_fine(part, g, w, target.view.as<float>(), beta)
                            : fine_from_coarse(part, g, w, target.view.as<float>(), beta);
        channel += target.view.shape[4];
    }
}

template <class Executor>
void KernelBackend<Executor>::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                                   ConstView gradient_y, Target gradient_weight) {
    const float* g = gradient_y.as<float>();
    float* w = gradient_weight.view.as<float>();
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        const ConvPart part(geometry, input.shape, gradient_y.shape, gradient_weight.view.shape, channel);
        const auto beta = static_cast<float>(gradient_weight.beta);
        geometry.transposed ? weight_from_both(part, input.as<float>(), g, w, beta)
                            : weight_from_both(part, g, input.as<float>(), w, beta);
        channel += input.shape[4];
    }
}

template <class Executor>
void KernelBackend<Executor>::coarse_from_fine(const ConvPart& part, const float* fine, const float* weight,
                                               float* coarse, float beta) {
    executor_.run(part.coarse.count(),
                  kernel::CoarseFromFine{kernel::ConvIndex(part), fine, weight + part.first_weight(), coarse, beta});
}

template <class Executor>
void KernelBackend<Executor>::fine_from_coarse(const ConvPart& part, const float* coarse, const float* weight,
                                               float* fine, float beta) {
    executor_.run(part.fine.count(),
                  kernel::FineFromCoarse{kernel::ConvIndex(part), coarse, weight + part.first_weight(), fine, beta});
}

template <class Executor>
void KernelBackend<Executor>::weight_from_both(const ConvPart& part, const float* coarse, const float* fine,
                                               float* weight, float beta) {
    const std::int64_t cells = part.coarse.count(0, 4), weights = part.packed().count();
    const std::int64_t pieces = piece_count(cells, weights);
    Tensor partial(memory(), {pieces, weights}, DType::float64);
    double* sums = partial.view().template as<double>();
    executor_.run(pieces * weights, kernel::WeightSums{kernel::ConvIndex(part), coarse, fine, sums, pieces});
    const Tensor total = summed_rows(executor_, std::move(partial));
    executor_.run(weights,
                  kernel::UnpackChannels<double>{total.view().template as<double>(), weight + part.first_weight(),
                                                 part.weight[4], part.first_fine, part.fine[4], beta});
}

}  // namespace plumecast::cuda
