#include <array>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>
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
    }
    throw Error("internal: an exchange of no kind");
}

ValueType ExchangeOp::result(ValueTypes inputs) const {
    expects(inputs[0].shape.count() == sent.count() && shape.count() == received.count(),
            "as many numbers as this rank has in the layouts");
    return {shape, inputs[0].type};
}

void ExchangeOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const std::array from{inputs[0].reshaped(sent)};
    const std::array to{OutputRef{result.reshaped(received)}};
    if (adjoint) {
        exchange->adjoint(backend, from, to);
    } else {
        exchange->forward(backend, from, to);
    }
}

std::vector<Value> ExchangeOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(ExchangeOp{kind, !adjoint, exchange, received, sent, result.input(0).shape()}, {g})};
}

}  // namespace plumecast
