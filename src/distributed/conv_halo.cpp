#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/core/error.hpp>

#include "distributed/conv_halo.hpp"

namespace plumecast {
namespace {

std::int64_t floor_division(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

using Along = ConvGeometry::OuterAxis;

/// Where a space axis stands among the three inner ones; -1 for the outer one.
int inner_axis(const ConvGeometry& geometry, int axis) { return geometry.has_outer() ? axis - 1 : axis; }

Along along(const ConvGeometry& geometry, int axis) {
    const int inner = inner_axis(geometry, axis);
    const auto a = static_cast<std::size_t>(std::max(inner, 0));
    return inner < 0 ? geometry.outer
                     : Along{geometry.kernel[a], geometry.stride[a], geometry.padding_low[a], geometry.padding_high[a]};
}

void set_padding(ConvGeometry& geometry, int axis, const Along& padding) {
    const int inner = inner_axis(geometry, axis);
    if (inner < 0) {
        geometry.outer = padding;
        return;
    }
    geometry.padding_low[static_cast<std::size_t>(inner)] = padding.padding_low;
    geometry.padding_high[static_cast<std::size_t>(inner)] = padding.padding_high;
}

Box around(const Box& a, const Box& b) {
    if (a.empty() || b.empty()) {
        return a.empty() ? b : a;
    }
    Box both = a;
    for (int axis = 0; axis < a.rank(); ++axis) {
        both = both.with(axis, std::min(a.low()[axis], b.low()[axis]), std::max(a.high()[axis], b.high()[axis]));
    }
    return both;
}

}  // namespace

ConvHalo::ConvHalo(const ConvGeometry& geometry, Partition inputs, Partition outputs)
    : geometry_(geometry), local_(geometry), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    const int axes = geometry.has_outer() ? 3 : 2;
    expects(inputs_.axes() == axes && outputs_.axes() == axes, "the space axes of the convolution");
    if (computes_nothing()) {
        return;
    }
    for (int axis = 0; axis < axes; ++axis) {
        const CellRange made = outputs_.held(outputs_.ranks().rank(), axis);
        const CellRange wanted = needed(axis, made);
        const std::int64_t low = std::max<std::int64_t>(wanted.low, 0);
        const std::int64_t high = std::min(wanted.high, inputs_.extents()[axis]);
        Along here = along(geometry_, axis);
        if (geometry_.transposed) {
            // Tap t of input i lands on output stride i - padding + t; here both count from the needed and made cells.
            here.padding_low += made.low - here.stride * low;
            here.padding_high = (high - low - 1) * here.stride + here.kernel - here.padding_low - made.cells();
        } else {
            here.padding_low = low - wanted.low;
            here.padding_high = wanted.high - high;
        }
        set_padding(local_, axis, here);
    }
}

CellRange ConvHalo::needed(int axis, CellRange outputs) const {
    const Along here = along(geometry_, axis);
    const std::int64_t stride = here.stride, kernel = here.kernel, padding = here.padding_low;
    if (outputs.cells() == 0) {
        return {};
    }
    if (geometry_.transposed) {
        return {floor_division(outputs.low + padding - kernel + stride, stride),
                floor_division(outputs.high - 1 + padding, stride) + 1};
    }
    return {stride * outputs.low - padding, stride * (outputs.high - 1) - padding + kernel};
}

Shape ConvHalo::output_shape(const Shape& input, std::int64_t channels) const {
    const Shape space = outputs_.held().extents();
    const auto axis = static_cast<std::size_t>(2);
    const std::int64_t times = input[-2], kernel = geometry_.kernel[axis], stride = geometry_.stride[axis];
    const std::int64_t padding = geometry_.padding_low[axis] + geometry_.padding_high[axis];
    const std::int64_t made =
        geometry_.transposed ? (times - 1) * stride + kernel - padding : (times + padding - kernel) / stride + 1;
    Shape shape{input[0]};
    for (const std::int64_t extent : space.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(made).append(channels);
}

Box ConvHalo::needed_box(int rank, const Shape& input) const {
    Shape nothing = input;
    bool makes_any = true;
    for (int axis = 0; axis < outputs_.axes(); ++axis) {
        nothing = nothing.with(axis + 1, 0);
        makes_any = makes_any && outputs_.held(rank, axis).cells() > 0;
    }
    Box box(nothing);
    for (int axis = 0; makes_any && axis < outputs_.axes(); ++axis) {
        const CellRange range = needed(axis, outputs_.held(rank, axis));
        box = box.with(axis + 1, std::max<std::int64_t>(range.low, 0), std::min(range.high, inputs_.extents()[axis]));
    }
    return box;
}

Box ConvHalo::sent_box(int rank, const Shape& input, const std::vector<const ConvHalo*>& others) const {
    Box box = needed_box(rank, input);
    for (const ConvHalo* other : others) {
        box = around(box, other->needed_box(rank, input));
    }
    return box;
}

std::shared_ptr<const Exchange> ConvHalo::exchange(const Shape& input, const std::vector<const ConvHalo*>& others) {
    auto& known = exchanges_[{input.text(), others}];
    if (!known) {
        Layout needed;
        for (int rank = 0; rank < inputs_.ranks().size(); ++rank) {
            needed.push_back({sent_box(rank, input, others)});
        }
        known =
            std::make_shared<const Exchange>(inputs_.ranks(), inputs_.layout(input[0], input[-2], input[-1]), needed);
    }
    return known;
}

}  // namespace plumecast
