#include "passes/fuse.hpp"

#include <array>
#include <optional>
#include <vector>

namespace plumecast {
namespace {

/// The op of a value doing more, if it can, of its inputs and `more` ones.
Value with(const std::optional<Op>& op, const Value& of, const std::vector<Value>& more = {}) {
    std::vector<Value> inputs = inputs_of(of);
    inputs.insert(inputs.end(), more.begin(), more.end());
    return op ? of.graph().add(*op, inputs) : Value();
}

/// An activation as part of the op whose result it alone reads, if that can take it in.
Value fused_activation(const Node& node, const std::vector<int>& uses, const Value& x) {
    const auto* activate = node.op.as<ActivateOp>();
    const bool fuses = activate != nullptr && uses[static_cast<std::size_t>(node.inputs[0])] == 1;
    return fuses ? with(node_of(x).op->activated(activate->activation), x) : Value();
}

}  // namespace

Graph fuse_sums_and_activations(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    const auto replace = [&](Graph& /*copy*/, int node, const std::vector<Value>& inputs) -> Value {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const auto is_read_here_alone = [&](std::size_t which) {
            return uses[static_cast<std::size_t>(old.inputs[which])] == 1;
        };
        if (!old.op.is<AddOp>()) {
            return inputs.empty() ? Value() : fused_activation(old, uses, inputs[0]);
        }
        const bool first_is_transform = op_of<AxisTransformOp>(inputs[0]) != nullptr;
        const std::array<std::size_t, 2> order =
            first_is_transform ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{1, 0};
        for (const std::size_t which : order) {
            const auto adding = is_read_here_alone(which) ? node_of(inputs[which]).op->with_addend() : std::nullopt;
            if (adding) {
                return with(adding, inputs[which], {inputs[1 - which]});
            }
        }
        return {};
    };
    return pruned(rebuilt(graph, replace));
}

Graph fuse_activations_of_norms(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    return pruned(rebuilt(graph, [&](Graph& /*copy*/, int node, const std::vector<Value>& inputs) {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const bool is_of_norm = !inputs.empty() && op_of<NormaliseOp>(inputs[0]) != nullptr;
        return is_of_norm ? fused_activation(old, uses, inputs[0]) : Value();
    }));
}

Graph fuse_concatenations(const Graph& graph) {
    const auto replace = [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* conv = graph.nodes()[static_cast<std::size_t>(node)].op.as<ConvOp>();
        if (conv == nullptr || conv->parts != 1 || op_of<ConcatOp>(inputs[0]) == nullptr) {
            return {};
        }
        std::vector<Value> all = inputs_of(inputs[0]);
        ConvOp op = *conv;
        op.parts = static_cast<int>(all.size());
        all.insert(all.end(), inputs.begin() + 1, inputs.end());
        return copy.add(op, all);
    };
    return pruned(rebuilt(graph, replace));
}

}  // namespace plumecast
