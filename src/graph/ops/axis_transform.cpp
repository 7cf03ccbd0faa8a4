#include <plumecast/graph/graph.hpp>

#include "graph/ops/shapes.hpp"
#include "spectral/modes.hpp"

namespace plumecast {
namespace {

/// [outer, extent of the axis, inner].
Shape around(const Shape& shape, int axis) {
    return {shape.count(0, axis), shape[axis], shape.count(axis + 1, shape.rank())};
}

Value transposed_matrix(const Value& matrix) {
    Graph& graph = matrix.graph();
    const ConstantOp constant = *op_of<ConstantOp>(matrix);
    const std::string& of = constant.of;
    const bool is_transposed = of.ends_with("^T");
    return graph.constant(is_transposed ? of.substr(0, of.size() - 2) : of + "^T",
                          {constant.shape[1], constant.shape[0]},
                          [&] { return transposed(*constant.values, constant.shape[0]); });
}

/// A spectrum under way as Backend::combine_signs() takes it: [outer, rows of the axis, mid, 2 (re, im), inner], of
/// which the sums along the axis are [outer, 2 (cos, sin), m + 1, mid, 2, inner].
Shape as_signed(const Shape& shape, int axis) {
    const int time = shape.rank() - 2;
    expects(axis < time && shape[time] % 2 == 0, "an axis of space of a complex spectrum");
    return {shape.count(0, axis), shape[axis], shape.count(axis + 1, time), 2, shape[time] / 2 * shape[-1]};
}

Shape as_sums(const Shape& shape, int axis) {
    const Shape s = as_signed(shape, axis);
    return {s[0], 2, s[1] / 2, s[2], s[3], s[4]};
}

}  // namespace

std::string AxisTransformOp::text() const { return "axis " + std::to_string(axis) + fused.text(); }

ValueType AxisTransformOp::result(ValueTypes inputs) const {
    const Shape &matrix = inputs[0].shape, &x = inputs[1].shape;
    expects(matrix.rank() == 2 && axis < x.rank() && matrix[1] == x[axis], "a matrix that fits the axis");
    return fused.checked(inputs, {x.with(axis, matrix[0]), type});
}

void AxisTransformOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    OutputRef target = fused.target(backend, inputs, result);
    target.view = result.reshaped(around(result.shape, axis));
    backend.transform_axis(inputs[0], inputs[1].reshaped(around(inputs[1].shape, axis)), target, fused.activation);
}

std::vector<PackedInput> AxisTransformOp::pack(Backend& backend, OpInputs inputs, View result) const {
    std::vector<PackedInput> packed;
    if (inputs[0].data != nullptr) {
        const bool narrow = inputs[1].type == DType::bfloat16 || result.type == DType::bfloat16;
        packed.push_back({0, backend.pack_axis_matrix(inputs[0], narrow)});
    }
    return packed;
}

std::vector<Value> AxisTransformOp::gradient(const Value& result, const Value& g) const {
    expects(fused.is_nothing(), "a transform alone");
    AxisTransformOp back = *this;
    back.type = result.input(1).type().type;
    return {Value(), g.graph().add(back, {transposed_matrix(result.input(0)), g})};
}

std::string CombineSignsOp::text() const {
    return "axis " + std::to_string(axis) + " dropped_from " + std::to_string(dropped_from) +
           (adjoint ? " adjoint" : "");
}

ValueType CombineSignsOp::result(ValueTypes inputs) const {
    const Shape& x = inputs[0].shape;
    expects(x[axis] % 2 == 0 && x[axis] >= 2, "an even number of rows");
    return {x.with(axis, x[axis] + (adjoint ? 2 : -2))};
}

void CombineSignsOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    if (adjoint) {
        backend.combine_signs(result.reshaped(as_sums(result.shape, axis)),
                              only_read(inputs[0].reshaped(as_signed(inputs[0].shape, axis))), dropped_from, true);
    } else {
        backend.combine_signs(only_read(inputs[0].reshaped(as_sums(inputs[0].shape, axis))),
                              result.reshaped(as_signed(result.shape, axis)), dropped_from, false);
    }
}

std::vector<Value> CombineSignsOp::gradient(const Value& /*result*/, const Value& g) const {
    return {g.graph().add(CombineSignsOp{axis, dropped_from, !adjoint}, {g})};
}

}  // namespace plumecast
