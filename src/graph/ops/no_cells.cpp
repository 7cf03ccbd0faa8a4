#include "graph/ops/no_cells.hpp"

#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {

ValueType NoCellsOp::result(ValueTypes inputs) const {
    expects(shape.count() == 0, "a shape without cells");
    return {shape, inputs[0].type};
}

std::vector<Value> NoCellsOp::gradient(const Value& result, const Value& g) const {
    std::vector<Value> gradients;
    for (const Value& input : inputs_of(result)) {
        const bool is_field = input.shape().count() == 0;
        gradients.push_back(is_field ? g.graph().add(ReshapeOp{input.shape()}, {g})
                                     : g.graph().add(ZerosOp{input.shape()}, {g}));
    }
    return gradients;
}

void ZerosOp::evaluate(Backend& backend, OpInputs /*inputs*/, View result) const { backend.fill(result, 0.0); }

}  // namespace plumecast
