#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/exchange/halo_field.hpp>

namespace plumecast {
namespace {

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

HaloField::HaloField(const Variable& x, const std::vector<const ConvHalo*>& uses) : x_(x) {
    if (uses.empty() || uses.front() == nullptr) {
        return;
    }
    const std::vector<const ConvHalo*> others(uses.begin() + 1, uses.end());
    box_ = uses.front()->sent_box(x.shape(), others);
    in_flight_.emplace(x, uses.front()->exchange(x.shape(), others), box_.extents());
}

Variable HaloField::around(const ConvHalo& use) const {
    if (!in_flight_) {
        return exchanged(x_, use.exchange(x_.shape()), use.sent_box(x_.shape()).extents());
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
    const Shape shape =
        halo.output_shape(inputs.front().own().shape(), weight.shape()[halo.local().transposed ? -1 : 0]);
    needed.insert(needed.end(), {weight, bias, epilogue.addend});
    return empty_result(weight.backend(), shape, weight.backend().field_type(), std::move(needed));
}

}  // namespace plumecast
