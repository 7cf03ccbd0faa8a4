#include "passes/fuse_projections.hpp"

#include <optional>
#include <vector>

namespace plumecast {
namespace {

/// The op of a linear layer, x W^T + b, that adds nothing else; nullptr for others.
const MatMulOp* linear_layer(const Op& any, std::size_t inputs) {
    const auto* op = any.as<MatMulOp>();
    const bool is_one = op != nullptr && !op->transpose_a && op->transpose_b && !op->fused.addend;
    return is_one && inputs == 3 ? op : nullptr;
}

/// The activation of a hidden layer that is read once.
std::optional<Activation> hidden_activation(const Graph& graph, const std::vector<int>& uses, int node) {
    const auto at = [&](int which) { return static_cast<std::size_t>(which); };
    const Node* now = &graph.nodes()[at(node)];
    if (uses[at(node)] != 1) {
        return std::nullopt;
    }
    const auto* activate = now->op.as<ActivateOp>();
    if (activate != nullptr) {
        node = now->inputs[0];
        now = &graph.nodes()[at(node)];
    }
    const MatMulOp* linear = linear_layer(now->op, now->inputs.size());
    if (linear == nullptr || uses[at(node)] != 1 || (activate != nullptr && !linear->fused.is_nothing())) {
        return std::nullopt;
    }
    return activate != nullptr ? activate->activation : linear->fused.activation;
}

}  // namespace

Graph fuse_projections(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    return pruned(rebuilt(graph, [&](Graph& copy, int node, const std::vector<Value>& inputs) {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const MatMulOp* second = linear_layer(old.op, old.inputs.size());
        const std::optional<Activation> activation = second != nullptr && second->fused.is_nothing()
                                                         ? hidden_activation(graph, uses, old.inputs[0])
                                                         : std::nullopt;
        if (!activation) {
            return Value();
        }
        const Value linear = op_of<ActivateOp>(inputs[0]) != nullptr ? inputs[0].input(0) : inputs[0];
        const Value x = linear.input(0);
        const std::int64_t width = linear.shape()[-1];
        if (width <= x.shape()[-1] || width <= old.type.shape[-1]) {
            return Value();
        }
        const ProjectionOp op{*activation, linear.type().type, second->type};
        return copy.add(op, {x, linear.input(1), linear.input(2), inputs[1], inputs[2]});
    }));
}

}  // namespace plumecast
