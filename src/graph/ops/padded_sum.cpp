#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {

std::string PaddedSumOp::text() const {
    std::string text = "padding";
    for (const Padding::Axis& axis : padding.axes) {
        text += " " + std::to_string(axis.inside) + (axis.edge == Padding::Edge::zero ? " zero" : " replicate");
    }
    return text;
}

ValueType PaddedSumOp::result(ValueTypes inputs) const {
    for (const ValueType& term : inputs.first(inputs.size() - 1)) {
        expects(term.shape.rank() == padded.rank() && term.shape[-1] == padded[-1], "terms of the channels of a sum");
    }
    expects(inputs.back().shape == Shape{padded[-1]}, "a bias for each channel");
    return {padded, type};
}

void PaddedSumOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.padded_sum(inputs.first(inputs.size() - 1), inputs.back(), padding, result);
}

std::vector<Value> PaddedSumOp::gradient(const Value& result, const Value& g) const {
    std::vector<Value> gradients;
    for (int term = 0; term + 1 < result.input_count(); ++term) {
        gradients.push_back(g.graph().add(PaddedSumGradientOp{padding, result.input(term).type()}, {g}));
    }
    gradients.push_back(g.graph().add(ColumnSumsOp{}, {g}));
    return gradients;
}

ValueType PaddedSumGradientOp::result(ValueTypes /*inputs*/) const { return term; }

void PaddedSumGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (!is_empty_sum(backend, inputs[0], {result})) {
        backend.padded_sum_gradient(inputs[0], padding, {result});
    }
}

}  // namespace plumecast
