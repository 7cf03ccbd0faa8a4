#include "backend/cpu/bfloat16/widened_conv.hpp"

#include <algorithm>

namespace plumecast::cpu {
namespace {

/// Numbers of a slab, all fields together.
constexpr std::int64_t slab_numbers = std::int64_t{1} << 22;

std::int64_t ceil_division(std::int64_t a, std::int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

ConvSlab slab(const ConvGeometry& whole, bool gathers, std::int64_t low, std::int64_t high, std::int64_t source_rows) {
    const std::int64_t stride = whole.stride[0], kernel = whole.kernel[0], padding = whole.padding_low[0];
    ConvSlab s{low, high, 0, 0, whole};
    if (gathers) {
        const std::int64_t first = low * stride - padding, end = (high - 1) * stride - padding + kernel;
        s.source_low = std::max<std::int64_t>(first, 0);
        s.source_high = std::min(end, source_rows);
        s.geometry.padding_low[0] = s.source_low - first;
        s.geometry.padding_high[0] = end - s.source_high;
    } else {
        s.source_low = std::max<std::int64_t>(ceil_division(low + padding - kernel + 1, stride), 0);
        s.source_high = std::min((high - 1 + padding) / stride + 1, source_rows);
        const std::int64_t reach = (s.source_high - s.source_low - 1) * stride + kernel;
        s.geometry.padding_low[0] = padding + low - stride * s.source_low;
        s.geometry.padding_high[0] = reach - s.geometry.padding_low[0] - (high - low);
    }
    return s;
}

bool is_sound(const ConvSlab& s) {
    return s.source_low < s.source_high && s.geometry.padding_low[0] >= 0 && s.geometry.padding_high[0] >= 0;
}

/// Rows [low, high) along axis 1 of one case of a field.
template <class AnyView>
AnyView rows_of(const AnyView& field, std::int64_t which, std::int64_t low, std::int64_t high) {
    const Shape& s = field.shape;
    return field.reshaped({s[0] * s[1], s[2], s[3], s[4]})
        .rows(which * s[1] + low, which * s[1] + high)
        .reshaped({1, high - low, s[2], s[3], s[4]});
}

/// Numbers of a row along axis 1 of one case.
std::int64_t row_numbers(const Shape& s) { return s[2] * s[3] * s[4]; }

/// A height that fits the caches and whole Winograd tiles.
std::int64_t height_of(std::int64_t numbers) {
    return std::max<std::int64_t>(8, slab_numbers / std::max<std::int64_t>(1, numbers) / 4 * 4);
}

std::vector<ConstView> views(const std::vector<Tensor>& tensors) {
    std::vector<ConstView> result;
    for (const Tensor& tensor : tensors) {
        result.push_back(tensor.view());
    }
    return result;
}

}  // namespace

std::vector<ConvSlab> conv_slabs(const ConvGeometry& geometry, bool gathers, std::int64_t rows,
                                 std::int64_t source_rows, std::int64_t height) {
    std::vector<ConvSlab> slabs;
    for (std::int64_t low = 0; low < rows; low += height) {
        slabs.push_back(slab(geometry, gathers, low, std::min(rows, low + height), source_rows));
    }
    if (!std::ranges::all_of(slabs, is_sound)) {
        slabs = {{0, rows, 0, source_rows, geometry}};
    }
    return slabs;
}

Tensor WidenedConv::widened(ConstView field) const {
    Tensor wide(backend_->memory(), field.shape, DType::float32);
    backend_->add(1.0, field, {wide});
    return wide;
}

/// Where a result is worked out: holding what it holds, if that is to be kept.
Tensor WidenedConv::place_for(OutputRef result) const {
    return result.beta != 0.0 ? widened(result.view) : Tensor(backend_->memory(), result.view.shape, DType::float32);
}

void WidenedConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                          ConstView bias, OutputRef y, Activation f) const {
    std::int64_t numbers = row_numbers(y.view.shape);
    for (const ConstView& input : inputs) {
        numbers += row_numbers(input.shape);
    }
    const auto slabs =
        conv_slabs(geometry, !geometry.transposed, y.view.shape[1], inputs.front().shape[1], height_of(numbers));
    for (std::int64_t b = 0; b < y.view.shape[0]; ++b) {
        for (const ConvSlab& s : slabs) {
            std::vector<Tensor> wide;
            for (const ConstView& input : inputs) {
                wide.push_back(widened(rows_of(input, b, s.source_low, s.source_high)));
            }
            const View result = rows_of(y.view, b, s.low, s.high);
            Tensor sum = place_for({result, y.beta});
            backend_->conv(s.geometry, views(wide), weight, bias, {sum, y.beta}, f);
            backend_->add(1.0, sum, {result});
        }
    }
}

void WidenedConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                std::span<const OutputRef> gradient_inputs) const {
    std::int64_t numbers = row_numbers(gradient_y.shape);
    for (const OutputRef& target : gradient_inputs) {
        numbers += row_numbers(target.view.shape);
    }
    const Shape& shape = gradient_inputs.front().view.shape;
    const auto slabs = conv_slabs(geometry, geometry.transposed, shape[1], gradient_y.shape[1], height_of(numbers));
    for (std::int64_t b = 0; b < shape[0]; ++b) {
        for (const ConvSlab& s : slabs) {
            const Tensor wide = widened(rows_of(gradient_y, b, s.source_low, s.source_high));
            std::vector<Tensor> sums;
            std::vector<OutputRef> targets;
            for (const OutputRef& target : gradient_inputs) {
                sums.push_back(place_for({rows_of(target.view, b, s.low, s.high), target.beta}));
                targets.push_back({sums.back(), target.beta});
            }
            backend_->conv_data_gradient(s.geometry, wide, weight, targets);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                backend_->add(1.0, sums[i], {rows_of(gradient_inputs[i].view, b, s.low, s.high)});
            }
        }
    }
}

void WidenedConv::weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                                  OutputRef gradient_weight) const {
    // The slabs cut the coarser grid, each row of which is multiplied by some rows of the finer one.
    const bool up = geometry.transposed;
    const std::int64_t input_rows = inputs.front().shape[1], result_rows = gradient_y.shape[1];
    std::int64_t numbers = row_numbers(gradient_y.shape);
    for (const ConstView& input : inputs) {
        numbers += row_numbers(input.shape);
    }
    const auto slabs =
        conv_slabs(geometry, true, up ? input_rows : result_rows, up ? result_rows : input_rows, height_of(numbers));
    if (gradient_y.shape.count() == 0) {
        const Tensor nothing = widened(gradient_y);
        std::vector<Tensor> wide;
        std::ranges::transform(inputs, std::back_inserter(wide), [&](const ConstView& x) { return widened(x); });
        return backend_->conv_weight_gradient(geometry, views(wide), nothing, gradient_weight);
    }
    double beta = gradient_weight.beta;
    for (std::int64_t b = 0; b < gradient_y.shape[0]; ++b) {
        for (const ConvSlab& s : slabs) {
            std::vector<Tensor> wide;
            for (const ConstView& input : inputs) {
                wide.push_back(widened(rows_of(input, b, up ? s.low : s.source_low, up ? s.high : s.source_high)));
            }
            const Tensor gradient =
                widened(rows_of(gradient_y, b, up ? s.source_low : s.low, up ? s.source_high : s.high));
            backend_->conv_weight_gradient(s.geometry, views(wide), gradient, {gradient_weight.view, beta});
            beta = 1.0;
        }
    }
}

}  // namespace plumecast::cpu
