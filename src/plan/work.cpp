#include <plumecast/plan/work.hpp>

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
/// Each weight once per cell: of the result, or of the input of a transposed convolution.
double operations_of(const ConvOp& op, const Types& inputs, const Shape& result) {
    const Shape& cells = op.geometry.transposed ? inputs[0].shape : result;
    const double weights = count(inputs[static_cast<std::size_t>(op.parts)].shape);
    return 2.0 * count(cells) / static_cast<double>(cells[-1]) * weights;
}

}  // namespace

OpWork& OpWork::operator+=(const OpWork& other) {
    bytes += other.bytes;
    operations += other.operations;
    return *this;
}

OpWork work_of(const Graph& graph, const Node& node, const Backend& backend) {
    if (is_given(node.op)) {
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
    work.operations = std::visit([&](const auto& op) { return operations_of(op, inputs, node.type.shape); }, node.op);
    return work;
}

}  // namespace plumecast
