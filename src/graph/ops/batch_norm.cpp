#include <utility>

#include <plumecast/graph/graph.hpp>

#include "core/number_text.hpp"
#include "graph/ops/activation_text.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

ValueType sums_of(const ValueType& field) { return {{2, field.shape[-1]}, DType::float64}; }

BatchNormStatistics statistics(const NormaliseOp& op, ConstView moments) { return {moments, op.count, op.epsilon}; }

}  // namespace

ValueType MomentsOp::result(ValueTypes inputs) const { return sums_of(inputs[0]); }

void MomentsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (!is_empty_sum(backend, inputs[0], {result})) {
        backend.moments(inputs[0], result);
    }
}

ValueType RunningMomentsOp::result(ValueTypes inputs) const { return sums_of(inputs[0]); }

void RunningMomentsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    for (int row = 0; row < 2; ++row) {
        backend.add(1.0, inputs[static_cast<std::size_t>(row)], {result.rows(row, row + 1).reshaped(inputs[0].shape)});
    }
}

std::string MoveRunningOp::text() const {
    return "row " + std::to_string(row) + " momentum " + number_text(momentum) + " factor " + number_text(factor);
}

ValueType MoveRunningOp::result(ValueTypes inputs) const {
    expects(inputs[1] == sums_of(inputs[0]), "moments of as many channels");
    return inputs[0];
}

void MoveRunningOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    Tensor batch(backend.memory(), result.shape, result.type);
    backend.add(factor, inputs[1].rows(row, row + 1).reshaped(result.shape), {batch});
    if (result.data != inputs[0].data) {
        backend.add(1.0, inputs[0], {result});
    }
    backend.add(momentum, std::as_const(batch).view(), {result, 1.0 - momentum});
}

std::string NormaliseOp::text() const {
    return std::string(of_batch ? "of_batch " : "") + "epsilon " + number_text(epsilon) +
           (activation.is_identity() ? std::string() : " " + text_of(activation));
}

ValueType NormaliseOp::result(ValueTypes inputs) const {
    const Shape channels{inputs[0].shape[-1]};
    expects(inputs[1] == sums_of(inputs[0]) && inputs[2].shape == channels && inputs[3].shape == channels,
            "moments, weight and bias of each channel");
    return inputs[0];
}

void NormaliseOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.normalise(inputs[0], statistics(*this, inputs[1]), inputs[2], inputs[3], activation, result);
}

std::vector<Value> NormaliseOp::gradient(const Value& result, const Value& g) const {
    Graph& graph = g.graph();
    std::vector<Value> inputs{result.input(0), result.input(1), result.input(2), result.input(3), g};
    const Value sums = graph.add(NormaliseSumsOp{*this}, inputs);
    if (of_batch) {
        inputs.push_back(sums);
    }
    return {graph.add(NormaliseGradientOp{*this}, inputs), Value(), graph.add(SumsRowOp{1}, {sums}),
            graph.add(SumsRowOp{0}, {sums})};
}

ValueType NormaliseSumsOp::result(ValueTypes inputs) const { return sums_of(inputs[0]); }

void NormaliseSumsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (!is_empty_sum(backend, inputs[0], {result})) {
        backend.normalise_sums(inputs[0], inputs[4], statistics(of, inputs[1]), inputs[2], inputs[3], of.activation,
                               result);
    }
}

ValueType NormaliseGradientOp::result(ValueTypes inputs) const { return inputs[0]; }

void NormaliseGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    Tensor none;  // running statistics do not depend on x
    if (!of.of_batch) {
        none = Tensor(backend.memory(), inputs[1].shape, DType::float64);
        backend.fill(none, 0.0);
    }
    backend.normalise_gradient(inputs[0], inputs[4], statistics(of, inputs[1]), inputs[2], inputs[3], of.activation,
                               of.of_batch ? inputs[5] : std::as_const(none).view(), {result});
}

ValueType SumsRowOp::result(ValueTypes inputs) const { return {{inputs[0].shape[-1]}}; }

void SumsRowOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.add(1.0, inputs[0].rows(row, row + 1).reshaped(result.shape), {result});
}

}  // namespace plumecast
