#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

void check_box(const Shape& low, const Shape& extents, const Shape& whole) {
    expects(low.rank() == whole.rank() && extents.rank() == whole.rank(), "a box of as many axes");
    for (int axis = 0; axis < whole.rank(); ++axis) {
        expects(low[axis] >= 0 && low[axis] + extents[axis] <= whole[axis], "a box inside its array");
    }
}

}  // namespace

std::string CropOp::text() const { return "from " + low.text(); }

ValueType CropOp::result(ValueTypes inputs) const {
    check_box(low, extents, inputs[0].shape);
    return {extents, inputs[0].type};
}

Shape CropOp::needed(const Shape& /*field*/, const Shape& result) const {
    Shape cells = result;
    for (int axis = 0; axis < cells.rank(); ++axis) {
        cells = cells.with(axis, low[axis] + result[axis]);
    }
    return cells;
}

void CropOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    backend.copy_box(inputs[0], low, {result}, origin(low.rank()), extents);
}

std::vector<Value> CropOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(PlaceOp{low, result.input(0).shape()}, {g})};
}

ValueType PlaceOp::result(ValueTypes inputs) const {
    check_box(low, inputs[0].shape, extents);
    return accumulated.checked(inputs, {extents, inputs[0].type});
}

std::string PlaceOp::text() const { return "at " + low.text() + accumulated.text(); }

void PlaceOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const OutputRef target = accumulated.target(backend, inputs, result);
    if (target.beta == 0.0) {
        backend.fill(result, 0.0);
    }
    backend.copy_box(inputs[0], origin(low.rank()), target, low, inputs[0].shape);
}

std::vector<Value> PlaceOp::gradient(const Value& result, const Value& g) const {
    expects(!accumulated.addend, "a box alone");
    return {g.graph().add(CropOp{low, result.input(0).shape()}, {g})};
}

ValueType ReshapeOp::result(ValueTypes inputs) const {
    expects(shape.count() == inputs[0].shape.count(), "a shape of as many numbers");
    return {shape, inputs[0].type};
}

void ReshapeOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (result.data != inputs[0].data) {
        backend.add(1.0, inputs[0].reshaped(shape), {result});
    }
}

std::vector<Value> ReshapeOp::gradient(const Value& result, const Value& g) const {
    return {g.graph().add(ReshapeOp{result.input(0).shape()}, {g})};
}

ValueType ConcatOp::result(ValueTypes inputs) const {
    ValueType all = inputs[0];
    for (const ValueType& other : inputs.subspan(1)) {
        expects(other.shape.with(-1, 0) == all.shape.with(-1, 0), "fields of one grid");
        all.shape = all.shape.with(-1, all.shape[-1] + other.shape[-1]);
    }
    return all;
}

void ConcatOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    Shape low = origin(result.shape.rank());
    for (const ConstView& part : inputs) {
        backend.copy_box(part, origin(low.rank()), {result}, low, part.shape);
        low = low.with(-1, low[-1] + part.shape[-1]);
    }
}

std::vector<Value> ConcatOp::gradient(const Value& result, const Value& g) const {
    std::vector<Value> gradients;
    Shape low = origin(result.shape().rank());
    for (int part = 0; part < result.input_count(); ++part) {
        const Shape extents = result.input(part).shape();
        gradients.push_back(g.graph().add(CropOp{low, extents}, {g}));
        low = low.with(-1, low[-1] + extents[-1]);
    }
    return gradients;
}

}  // namespace plumecast
