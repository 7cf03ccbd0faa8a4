#include "plan/work.hpp"

#include <plumecast/core/tensor.hpp>

namespace plumecast {
namespace {

using Types = std::vector<ValueType>;

double count(const Shape& shape) { return static_cast<double>(shape.count()); }

template <class Kind>
double operations_of(const Kind& /*op*/, const Types& /*inputs*/, const Shape& result) {
    return count(result);
}
double operations_of(const MatMulOp& op, const Types& inputs, const Shape& result) {
    const Shape a = as_matrix(inputs[0].shape);
    return 2.0 * count(result) * static_cast<double>(a[op.transpose_a ? 0 : 1]);
}
double operations_of(const ProjectionOp& /*op*/, const Types& inputs, const Shape& result) {
    const double rows = count(result) / static_cast<double>(result[-1]);
    return 2.0 * rows * (count(inputs[1].shape) + count(inputs[3].shape));
}
double operations_of(const AxisTransformOp& /*op*/, const Types& inputs, const Shape& result) {
    return 2.0 * count(result) * static_cast<double>(inputs[0].shape[1]);
}
/// Four products and as many sums of real numbers for each pair of complex ones.
double operations_of(const SpectralMultiplyOp& /*op*/, const Types& inputs, const Shape& result) {
    return 4.0 * count(result) * static_cast<double>(inputs[0].shape[-1]);
}
double operations_of(const SpectralDataGradientOp& /*op*/, const Types& inputs, const Shape& result) {
    return 4.0 * count(result) * static_cast<double>(inputs[0].shape[-1]);
}
double operations_of(const SpectralWeightGradientOp& /*op*/, const Types& inputs, const Shape& /*result*/) {
    return 4.0 * count(inputs[0].shape) * static_cast<double>(inputs[1].shape[-1]);
}
/// Each weight once per cell: of the result, or of the input of a transposed convolution.
double conv_operations(const ConvGeometry& geometry, const Shape& input, const Shape& result, const Shape& weight) {
    const Shape& cells = geometry.transposed ? input : result;
    return 2.0 * count(cells) / static_cast<double>(cells[-1]) * count(weight);
}
double operations_of(const ConvOp& op, const Types& inputs, const Shape& result) {
    return conv_operations(op.geometry, inputs[0].shape, result, inputs[static_cast<std::size_t>(op.parts)].shape);
}
double operations_of(const ConvDataGradientOp& op, const Types& inputs, const Shape& /*result*/) {
    return conv_operations(op.geometry, op.parts[0].shape, inputs[0].shape, inputs[1].shape);
}
double operations_of(const ConvWeightGradientOp& op, const Types& inputs, const Shape& /*result*/) {
    return conv_operations(op.geometry, inputs[0].shape, inputs[static_cast<std::size_t>(op.parts)].shape, op.weight);
}
/// The hidden layer once more, and gradients with respect to both factors of both products.
double operations_of(const ProjectionGradientOp& op, const Types& inputs, const Shape& result) {
    const double rows = count(result) / static_cast<double>(result[-1]);
    return operations_of(op.of, inputs, inputs[5].shape) * 2.0 + 2.0 * rows * count(inputs[1].shape);
}

}  // namespace

OpWork& OpWork::operator+=(const OpWork& other) {
    bytes += other.bytes;
    operations += other.operations;
    return *this;
}

OpWork work_of(const Graph& graph, const Node& node, const Backend& backend) {
    if (is_given(node.op) || std::holds_alternative<FurtherResultOp>(node.op)) {
        return {};
    }
    const auto bytes = [&](const ValueType& type) {
        return count(type.shape) * static_cast<double>(size_of(on_backend(backend, type.type)));
    };
    Types inputs;
    OpWork work{bytes(node.type), 0.0};
    for (const int input : node.inputs) {
        inputs.push_back(graph.nodes()[static_cast<std::size_t>(input)].type);
        work.bytes += bytes(inputs.back());
    }
    for (const ValueType& type : types_of_further_results(node.op, inputs)) {
        work.bytes += bytes(type);
    }
    work.operations = std::visit([&](const auto& op) { return operations_of(op, inputs, node.type.shape); }, node.op);
    return work;
}

}  // namespace plumecast
