#include <plumecast/passes/fuse_projections.hpp>

#include <vector>

namespace plumecast {
namespace {

/// The op of a linear layer, x W^T + b, that adds nothing else; nullptr for others.
const MatMulOp* linear_layer(const Value& value) {
    const auto* op = op_of<MatMulOp>(value);
    const bool is_one = op != nullptr && !op->transpose_a && op->transpose_b && !op->fused.addend;
    return is_one && value.input_count() == 3 ? op : nullptr;
}

}  // namespace

Graph fuse_projections(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    return pruned(rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const auto* second = std::get_if<MatMulOp>(&old.op);
        const bool is_linear = second != nullptr && !second->transpose_a && second->transpose_b &&
                               second->fused.is_nothing() && inputs.size() == 3;
        const MatMulOp* first = is_linear ? linear_layer(inputs[0]) : nullptr;
        if (first == nullptr || uses[static_cast<std::size_t>(old.inputs[0])] != 1) {
            return Value();
        }
        const Value hidden = inputs[0], x = hidden.input(0);
        const std::int64_t width = hidden.shape()[-1];
        if (width <= x.shape()[-1] || width <= old.type.shape[-1]) {
            return Value();
        }
        const ProjectionOp op{first->fused.activation, first->type, second->type};
        return copy.add(op, {x, hidden.input(1), hidden.input(2), inputs[1], inputs[2]});
    }));
}

}  // namespace plumecast
