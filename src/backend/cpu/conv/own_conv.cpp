#include "backend/cpu/conv/own_conv.hpp"

#include <cstdint>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/winograd_conv.hpp"

namespace plumecast::cpu {
namespace {

std::int64_t channels_of(std::span<const ConstView> inputs) {
    std::int64_t channels = 0;
    for (const ConstView& input : inputs) {
        channels += input.shape[4];
    }
    return channels;
}

/// Convolves in tiles or directly; false where a library does.
template <class InTiles, class Directly>
bool convolve(const ConvChoice::Decision& decision, const InTiles& in_tiles, const Directly& directly) {
    switch (decision.method) {
        case ConvChoice::Method::winograd:
            in_tiles(*decision.plan);
            return true;
        case ConvChoice::Method::direct:
            directly();
            return true;
        case ConvChoice::Method::onednn:
            break;
    }
    return false;
}

}  // namespace

bool OwnConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                      OutputRef y, float slope) const {
    return convolve(
        choice_->forward(geometry, y.view.shape, inputs.front().shape, channels_of(inputs), y.view.shape[4]),
        [&](const TilePlan& plan) {
            WinogradConv(*kernels_, threads_, scratch_).forward(plan, geometry, inputs, weight, bias, y, slope);
        },
        [&] { DirectConv(*kernels_, threads_, scratch_).forward(geometry, inputs, weight, bias, y, slope); });
}

bool OwnConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) const {
    std::int64_t channels = 0;
    for (const OutputRef& target : gradient_inputs) {
        channels += target.view.shape[4];
    }
    return convolve(
        choice_->data_gradient(geometry, gradient_inputs.front().view.shape, gradient_y.shape, gradient_y.shape[4],
                               channels),
        [&](const TilePlan& plan) {
            WinogradConv(*kernels_, threads_, scratch_)
                .data_gradient(plan, geometry, gradient_y, weight, gradient_inputs);
        },
        [&] {
            DirectConv(*kernels_, threads_, scratch_).data_gradient(geometry, gradient_y, weight, gradient_inputs);
        });
}

bool OwnConv::weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) const {
    return convolve(
        choice_->weight_gradient(geometry, gradient_y.shape, inputs.front().shape, channels_of(inputs),
                                 gradient_y.shape[4]),
        [&](const TilePlan& plan) {
            WinogradConv(*kernels_, threads_, scratch_)
                .weight_gradient(plan, geometry, inputs, gradient_y, gradient_weight);
        },
        [&] {
            DirectConv(*kernels_, threads_, scratch_).weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        });
}

}  // namespace plumecast::cpu
