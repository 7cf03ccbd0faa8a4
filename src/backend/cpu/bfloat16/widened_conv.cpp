#include "backend/cpu/bfloat16/widened_conv.hpp"

#include <vector>

namespace plumecast::cpu {
namespace {

std::vector<ConstView> views(const std::vector<Tensor>& tensors) {
    std::vector<ConstView> result;
    for (const Tensor& tensor : tensors) {
        result.push_back(tensor.view());
    }
    return result;
}

}  // namespace

Tensor WidenedConv::widened(ConstView field) const {
    Tensor wide(backend_->memory(), field.shape, DType::float32);
    backend_->add(1.0, field, {wide});
    return wide;
}

void WidenedConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                          ConstView bias, Target y, Activation f) const {
    for (std::int64_t b = 0; b < y.view.shape[0]; ++b) {
        std::vector<Tensor> wide;
        for (const ConstView& input : inputs) {
            wide.push_back(widened(input.rows(b, b + 1)));
        }
        const View result = y.view.rows(b, b + 1);
        Tensor sum = y.beta != 0.0 ? widened(result) : Tensor(backend_->memory(), result.shape, DType::float32);
        backend_->conv(geometry, views(wide), weight, bias, {sum, y.beta}, f);
        backend_->add(1.0, sum, {result});
    }
}

void WidenedConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                std::span<const Target> gradient_inputs) const {
    for (std::int64_t b = 0; b < gradient_y.shape[0]; ++b) {
        const Tensor wide = widened(gradient_y.rows(b, b + 1));
        std::vector<Tensor> sums;
        std::vector<Target> targets;
        for (const Target& target : gradient_inputs) {
            const View result = target.view.rows(b, b + 1);
            sums.push_back(target.beta != 0.0 ? widened(result)
                                              : Tensor(backend_->memory(), result.shape, DType::float32));
            targets.push_back({sums.back(), target.beta});
        }
        backend_->conv_data_gradient(geometry, wide, weight, targets);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            backend_->add(1.0, sums[i], {gradient_inputs[i].view.rows(b, b + 1)});
        }
    }
}

void WidenedConv::weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                                  Target gradient_weight) const {
    double beta = gradient_weight.beta;
    const std::int64_t cases = gradient_y.shape[0];
    for (std::int64_t b = 0; b < std::max<std::int64_t>(1, cases); ++b) {  // without a case, the sum is still due
        const std::int64_t end = std::min(b + 1, cases);
        std::vector<Tensor> wide;
        for (const ConstView& input : inputs) {
            wide.push_back(widened(input.rows(b, end)));
        }
        const Tensor gradient = widened(gradient_y.rows(b, end));
        backend_->conv_weight_gradient(geometry, views(wide), gradient, {gradient_weight.view, beta});
        beta = 1.0;
    }
}

}  // namespace plumecast::cpu
