#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

/// [B, K..., 2 mt, C] as [B, K, 2, mt, C].
Shape by_part(const Shape& x) { return {x[0], x.count(1, x.rank() - 2), 2, x[-2] / 2, x[-1]}; }

/// [K..., mt, 2, I, O] as [K, mt, 2, I, O].
Shape by_mode(const Shape& weight) {
    return {weight.count(0, weight.rank() - 4), weight[-4], 2, weight[-2], weight[-1]};
}

}  // namespace

ValueType SpectralMultiplyOp::result(ValueTypes inputs) const {
    const Shape x = by_part(inputs[0].shape), w = by_mode(inputs[1].shape);
    expects(x[1] == w[0] && x[3] == w[1] && x[4] == w[3], "a weight for each mode and channel");
    return {inputs[0].shape.with(-1, w[4])};
}

void SpectralMultiplyOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.complex_product(inputs[0].reshaped(by_part(inputs[0].shape)), inputs[1].reshaped(by_mode(inputs[1].shape)),
                            result.reshaped(by_part(result.shape)));
}

std::vector<Value> SpectralMultiplyOp::gradient(const Value& result, const Value& g) const {
    const Value x = result.input(0), weight = result.input(1);
    return {g.graph().add(SpectralDataGradientOp{}, {g, weight}),
            g.graph().add(SpectralWeightGradientOp{weight.shape()}, {x, g})};
}

ValueType SpectralDataGradientOp::result(ValueTypes inputs) const {
    return {inputs[0].shape.with(-1, inputs[1].shape[-2])};
}

void SpectralDataGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.complex_product_data_gradient(inputs[0].reshaped(by_part(inputs[0].shape)),
                                          inputs[1].reshaped(by_mode(inputs[1].shape)),
                                          result.reshaped(by_part(result.shape)));
}

ValueType SpectralWeightGradientOp::result(ValueTypes inputs) const { return accumulated.checked(inputs, {weight}); }

void SpectralWeightGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const OutputRef target = accumulated.target(backend, inputs, result);
    if (is_empty_sum(backend, inputs[0], target)) {
        return;
    }
    backend.complex_product_weight_gradient(inputs[0].reshaped(by_part(inputs[0].shape)),
                                            inputs[1].reshaped(by_part(inputs[1].shape)),
                                            {target.view.reshaped(by_mode(result.shape)), target.beta});
}

}  // namespace plumecast
