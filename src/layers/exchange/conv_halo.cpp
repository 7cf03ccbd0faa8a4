#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/exchange/conv_halo.hpp>

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

/// The part of x within a box that counts from another.
Variable part_of(const Variable& x, const Box& held, const Box& wanted) {
    Backend& backend = x.backend();
    Shape low = wanted.low();
    for (int axis = 0; axis < low.rank(); ++axis) {
        low = low.with(axis, wanted.low()[axis] - held.low()[axis]);
    }
    const Shape shape = wanted.extents(), zero = Box(shape).low();
    Tensor part(backend.memory(), shape, x.value().type);
    if (shape.count() > 0) {
        backend.copy_box(x.value(), low, {part}, zero, shape);
    }
    return Variable(backend, std::move(part), {x}, [&backend, x, low, zero, shape](Tensor& g) {
        const OutputRef target = x.gradient_output();
        if (target.beta == 0.0) {
            backend.fill(target.view, 0.0);
        }
        if (shape.count() > 0) {
            backend.copy_box(g, zero, {target.view, 1.0}, low, shape);
        }
    });
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

struct InFlightField::State {
    /// The gradient on its way back.
    struct Returning {
        Tensor gradient;
        Exchange::PendingExchange pending;
    };
    Variable x, started, received;
    std::shared_ptr<const Exchange> exchange;
    Tensor result;
    Exchange::PendingExchange pending;
    std::shared_ptr<Returning> returning = std::make_shared<Returning>();
};

InFlightField::InFlightField(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result)
    : state_(std::make_shared<State>()) {
    Backend& backend = x.backend();
    state_->x = x;
    state_->exchange = std::move(exchange);
    state_->result = Tensor(backend.memory(), result, x.value().type);
    state_->pending = state_->exchange->start_forward(backend, std::array{x.value()});
    state_->started =
        Variable(backend, Tensor(), {x}, [x, back = state_->returning, moves = state_->exchange](Tensor&) {
            moves->finish_adjoint(std::move(back->pending), std::array{x.gradient_output()});
            back->gradient = Tensor();
        });
}

Variable InFlightField::wait() const {
    State& state = *state_;
    if (!state.received.defined()) {
        Backend& backend = state.x.backend();
        state.exchange->finish_forward(std::move(state.pending), std::array{OutputRef{state.result.view()}});
        state.received = Variable(backend, std::move(state.result), {state.started},
                                  [&backend, back = state.returning, moves = state.exchange](Tensor& g) {
                                      back->gradient = std::move(g);
                                      back->pending = moves->start_adjoint(
                                          backend, std::array{std::as_const(back->gradient).view()});
                                  });
    }
    return state.received;
}

const Variable& InFlightField::started() const { return state_->started; }

Variable exchanged(const Variable& x, std::shared_ptr<const Exchange> exchange, const Shape& result) {
    return InFlightField(x, std::move(exchange), result).wait();
}

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

Shape ConvHalo::output_shape(const Variable& input, std::int64_t channels) const {
    const Shape space = outputs_.held().extents();
    const auto axis = static_cast<std::size_t>(2);
    const std::int64_t times = input.shape()[-2], kernel = geometry_.kernel[axis], stride = geometry_.stride[axis];
    const std::int64_t padding = geometry_.padding_low[axis] + geometry_.padding_high[axis];
    const std::int64_t made =
        geometry_.transposed ? (times - 1) * stride + kernel - padding : (times + padding - kernel) / stride + 1;
    Shape shape{input.shape()[0]};
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

InFlightField ConvHalo::sent(const Variable& input, const std::vector<const ConvHalo*>& others) const {
    const Shape& shape = input.shape();
    auto& exchange = exchanges_[{shape.text(), others}];
    if (!exchange) {
        Layout needed;
        for (int rank = 0; rank < inputs_.ranks().size(); ++rank) {
            needed.push_back({sent_box(rank, shape, others)});
        }
        exchange =
            std::make_shared<const Exchange>(inputs_.ranks(), inputs_.layout(shape[0], shape[-2], shape[-1]), needed);
    }
    return {input, exchange, sent_box(shape, others).extents()};
}

HaloField::HaloField(const Variable& x, const std::vector<const ConvHalo*>& uses) : x_(x) {
    if (uses.empty() || uses.front() == nullptr) {
        return;
    }
    const std::vector<const ConvHalo*> others(uses.begin() + 1, uses.end());
    box_ = uses.front()->sent_box(x.shape(), others);
    in_flight_ = uses.front()->sent(x, others);
}

Variable HaloField::around(const ConvHalo& use) const {
    if (!in_flight_) {
        return use.sent(x_).wait();
    }
    const Box wanted = use.needed_box(x_.shape());
    return wanted == box_ ? in_flight_->wait() : part_of(in_flight_->wait(), box_, wanted);
}

Variable conv(const ConvHalo& halo, const std::vector<HaloField>& inputs, const Variable& weight, const Variable& bias,
              Epilogue epilogue) {
    std::vector<Variable> needed;
    std::ranges::transform(inputs, std::back_inserter(needed),
                           [&](const HaloField& input) { return input.around(halo); });
    if (!halo.computes_nothing()) {
        return conv(halo.local(), needed, weight, bias, std::move(epilogue));
    }
    const Shape shape = halo.output_shape(inputs.front().own(), weight.shape()[halo.local().transposed ? -1 : 0]);
    needed.insert(needed.end(), {weight, bias, epilogue.addend});
    return empty_result(weight.backend(), shape, weight.backend().field_type(), std::move(needed));
}

}  // namespace plumecast
