#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/conv_halo.hpp>

namespace plumecast {
namespace {

std::int64_t floor_division(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

}  // namespace

Variable exchanged(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result) {
    Backend& backend = x.backend();
    Tensor y(backend.memory(), result, backend.compute_type());
    exchange->forward(backend, std::array{x.value()}, std::array{Target{y.view()}});
    return Variable(backend, std::move(y), {x}, [&backend, x, exchange = std::move(exchange)](Tensor& g) {
        exchange->adjoint(backend, std::array{std::as_const(g).view()}, std::array{x.gradient_target()});
    });
}

ConvHalo::ConvHalo(const ConvGeometry& geometry, Placement inputs, Placement outputs)
    : geometry_(geometry), local_(geometry), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    expects(inputs_.axes() == 2 && outputs_.axes() == 2, "two space axes of a three-dimensional convolution");
    if (computes_nothing()) {
        return;
    }
    for (int axis = 0; axis < inputs_.axes(); ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const CellRange made = outputs_.held(outputs_.ranks().rank(), axis);
        const CellRange wanted = needed(axis, made);
        const std::int64_t low = std::max<std::int64_t>(wanted.low, 0);
        const std::int64_t high = std::min(wanted.high, inputs_.extents()[axis]);
        if (geometry_.transposed) {
            // Tap t of input i lands on output stride i - padding + t; here both count from the needed and made cells.
            local_.padding_low[a] = geometry_.padding_low[a] + made.low - geometry_.stride[a] * low;
            local_.padding_high[a] =
                (high - low - 1) * geometry_.stride[a] + geometry_.kernel[a] - local_.padding_low[a] - made.cells();
        } else {
            local_.padding_low[a] = low - wanted.low;
            local_.padding_high[a] = wanted.high - high;
        }
    }
}

CellRange ConvHalo::needed(int axis, CellRange outputs) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t stride = geometry_.stride[a], kernel = geometry_.kernel[a], padding = geometry_.padding_low[a];
    if (outputs.cells() == 0) {
        return {};
    }
    if (geometry_.transposed) {
        return {floor_division(outputs.low + padding - kernel + stride, stride),
                floor_division(outputs.high - 1 + padding, stride) + 1};
    }
    return {stride * outputs.low - padding, stride * (outputs.high - 1) - padding + kernel};
}

Shape ConvHalo::output_shape(const Variable& input, std::int64_t channels) const {
    const Shape space = outputs_.held().extents();
    const auto axis = static_cast<std::size_t>(2);
    const std::int64_t times = input.shape()[3], kernel = geometry_.kernel[axis], stride = geometry_.stride[axis];
    const std::int64_t padding = geometry_.padding_low[axis] + geometry_.padding_high[axis];
    const std::int64_t made =
        geometry_.transposed ? (times - 1) * stride + kernel - padding : (times + padding - kernel) / stride + 1;
    return {input.shape()[0], space[0], space[1], made, channels};
}

Box ConvHalo::needed_box(int rank, const Shape& input) const {
    Box box({0, 0, 0, 0, 0}, {input[0], 0, 0, input[3], input[4]});
    const std::array made = {outputs_.held(rank, 0), outputs_.held(rank, 1)};
    for (int axis = 0; axis < 2 && made[0].cells() > 0 && made[1].cells() > 0; ++axis) {
        const CellRange range = needed(axis, made[static_cast<std::size_t>(axis)]);
        box = box.with(axis + 1, std::max<std::int64_t>(range.low, 0), std::min(range.high, inputs_.extents()[axis]));
    }
    return box;
}

Variable ConvHalo::with_neighbours(const Variable& input) const {
    const Shape& shape = input.shape();
    auto& exchange = exchanges_[shape.text()];
    if (!exchange) {
        Layout needed;
        for (int rank = 0; rank < inputs_.ranks().size(); ++rank) {
            needed.push_back({needed_box(rank, shape)});
        }
        exchange =
            std::make_shared<const Exchange>(inputs_.ranks(), inputs_.layout(shape[0], shape[3], shape[4]), needed);
    }
    return exchanged(input, exchange, needed_box(inputs_.ranks().rank(), shape).extents());
}

Variable conv(const ConvHalo& halo, const std::vector<Variable>& inputs, const Variable& weight, const Variable& bias,
              Epilogue epilogue) {
    std::vector<Variable> needed;
    std::ranges::transform(inputs, std::back_inserter(needed),
                           [&](const Variable& input) { return halo.with_neighbours(input); });
    if (!halo.computes_nothing()) {
        return conv(halo.local(), needed, weight, bias, std::move(epilogue));
    }
    const Shape shape = halo.output_shape(inputs.front(), weight.shape()[halo.local().transposed ? 4 : 0]);
    needed.insert(needed.end(), {weight, bias, epilogue.addend});
    return empty_result(weight.backend(), shape, std::move(needed));
}

}  // namespace plumecast
