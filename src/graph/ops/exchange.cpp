#include <array>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {

std::string ExchangeOp::text() const {
    switch (kind) {
        case Kind::halo:
            return adjoint ? "halo adjoint" : "halo";
        case Kind::modes:
            return adjoint ? "reduce_scatter" : "gather";
        case Kind::lines:
            return adjoint ? "transpose back" : "transpose";
        case Kind::sums:
            return adjoint ? "reduce_scatter of sums" : "gather of sums";
    }
    throw Error("internal: an exchange of no kind");
}

ValueType ExchangeOp::result(ValueTypes inputs) const {
    expects(inputs[0].shape.count() == sent.count() && shape.count() == received.count(),
            "as many numbers as this rank has in the layouts");
    return {shape, inputs[0].type};
}

void ExchangeOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    FinishExchangeOp{*this}.finish(StartExchangeOp{*this}.start(backend, inputs, {}), result);
}

std::vector<Value> ExchangeOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(ExchangeOp{kind, !adjoint, exchange, received, sent, result.input(0).shape()}, {g})};
}

ValueType StartExchangeOp::result(ValueTypes inputs) const {
    return {{of.exchange->message_elements(of.adjoint)}, of.result(inputs).type};
}

Exchange::PendingExchange StartExchangeOp::start(Backend& backend, OpInputs inputs, View messages) const {
    const std::array from{inputs[0].reshaped(of.sent)};
    return of.adjoint ? of.exchange->start_adjoint(backend, from, messages)
                      : of.exchange->start_forward(backend, from, messages);
}

void FinishExchangeOp::finish(Exchange::PendingExchange pending, View result) const {
    const std::array to{OutputRef{result.reshaped(of.received)}};
    if (of.adjoint) {
        of.exchange->finish_adjoint(std::move(pending), to);
    } else {
        of.exchange->finish_forward(std::move(pending), to);
    }
}

}  // namespace plumecast
