#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

#include "core/number_text.hpp"
#include "graph/ops/activation_text.hpp"

namespace plumecast {

std::string text_of(Activation activation) {
    switch (activation.kind) {
        case Activation::Kind::identity:
            return "identity";
        case Activation::Kind::relu:
            return "relu";
        case Activation::Kind::leaky_relu:
            return "leaky_relu " + number_text(activation.slope);
        case Activation::Kind::tanh:
            return "tanh";
        case Activation::Kind::gelu:
            return "gelu";
    }
    throw Error("internal: an activation without a name");
}

ValueType AddOp::result(ValueTypes inputs) const {
    expects(inputs[0] == inputs[1], "terms of one type and shape");
    return inputs[0];
}

void AddOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (result.data == inputs[1].data) {
        backend.add(1.0, inputs[0], {result, 1.0});
        return;
    }
    if (result.data != inputs[0].data) {
        backend.add(1.0, inputs[0], {result});
    }
    backend.add(1.0, inputs[1], {result, 1.0});
}

std::vector<Value> AddOp::gradient(const Value& /*result*/, const Value& g) const { return {g, g}; }

ValueType MultiplyOp::result(ValueTypes inputs) const { return fused.checked(inputs, AddOp().result(inputs)); }

void MultiplyOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.add_product(inputs[0], inputs[1], fused.target(backend, inputs, result));
    if (!fused.activation.is_identity()) {
        backend.activate(fused.activation, std::as_const(result), result);
    }
}

std::vector<Value> MultiplyOp::gradient(const Value& result, const Value& g) const {
    expects(fused.is_nothing(), "a product alone");
    Graph& graph = g.graph();
    return {graph.add(MultiplyOp{}, {result.input(1), g}), graph.add(MultiplyOp{}, {result.input(0), g})};
}

std::string ActivateOp::text() const { return text_of(activation); }

ValueType ActivateOp::result(ValueTypes inputs) const { return inputs[0]; }

void ActivateOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.activate(activation, inputs[0], result);
}

std::vector<Value> ActivateOp::gradient(const Value& result, const Value& g) const {
    const Value kept = activation.known_from_output() ? result : result.input(0);
    return {g.graph().add(ActivationGradientOp{activation}, {kept, g})};
}

void CastOp::evaluate(Backend& backend, OpInputs inputs, View result) const { backend.add(1.0, inputs[0], {result}); }

std::vector<Value> CastOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(CastOp{result.input(0).type().type}, {g})};
}

ValueType ActivationGradientOp::result(ValueTypes inputs) const { return inputs[1]; }

void ActivationGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (result.data != inputs[1].data) {
        backend.add(1.0, inputs[1], {result});
    }
    backend.activation_gradient(activation, inputs[0], result);
}

}  // namespace plumecast
