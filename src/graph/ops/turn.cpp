#include "graph/ops/turn.hpp"

#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {

std::vector<std::int64_t> TurnOp::order(int rank) const {
    std::vector<std::int64_t> axes;
    for (int at = 0; at < rank; ++at) {
        axes.push_back(at);
    }
    const std::int64_t from = back ? rank - 2 : axis, to = back ? axis : rank - 2;
    axes.erase(axes.begin() + from);
    axes.insert(axes.begin() + to, from);
    return axes;
}

ValueType TurnOp::result(ValueTypes inputs) const {
    const Shape& x = inputs[0].shape;
    expects(axis > 0 && axis + 1 < x.rank(), "an axis between batch and channels");
    Shape turned = x;
    const std::vector<std::int64_t> from = order(x.rank());
    for (int at = 0; at < x.rank(); ++at) {
        turned = turned.with(at, x[static_cast<int>(from[static_cast<std::size_t>(at)])]);
    }
    return {turned, inputs[0].type};
}

/// Cell by cell of the axis, which lies as [outer, cells, inner, C] where it is, as [outer, inner, cells, C] turned.
void TurnOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const Shape there = back ? result.shape : inputs[0].shape;
    const std::int64_t outer = there.count(0, axis), cells = there[axis], channels = there[-1];
    const std::int64_t inner = there.count(axis + 1, there.rank() - 1);
    const Shape in_place{outer, cells * inner, channels}, turned{outer, inner, cells * channels};
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        const Shape low{0, cell * inner, 0}, low_turned{0, 0, cell * channels};
        backend.copy_box(inputs[0].reshaped(back ? turned : in_place), back ? low_turned : low,
                         {result.reshaped(back ? in_place : turned)}, back ? low : low_turned,
                         {outer, inner, channels});
    }
}

std::vector<Value> TurnOp::gradient(const Value& /*result*/, const Value& g) const {
    return {g.graph().add(TurnOp{axis, !back}, {g})};
}

}  // namespace plumecast
