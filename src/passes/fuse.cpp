#include "passes/fuse.hpp"

#include <array>
#include <optional>
#include <vector>

namespace plumecast {
namespace {

/// The op with another epilogue, where it is a linear one.
std::optional<Op> with_fused(const Op& op, const Fused& fused) {
    return std::visit(
        [&]<class Kind>(Kind kind) -> std::optional<Op> {
            if constexpr (requires { kind.fused; }) {
                kind.fused = fused;
                return kind;
            } else {
                return std::nullopt;
            }
        },
        op);
}

std::optional<Fused> fused_of(const Op& op) {
    return std::visit(
        []<class Kind>(const Kind& kind) -> std::optional<Fused> {
            if constexpr (requires { kind.fused; }) {
                return kind.fused;
            } else {
                return std::nullopt;
            }
        },
        op);
}

/// The op adding an addend, where it can and does nothing more yet.
std::optional<Op> with_addend(const Op& op) {
    if (const std::optional<Fused> fused = fused_of(op)) {
        return fused->is_nothing() ? with_fused(op, {.addend = true}) : std::nullopt;
    }
    return std::visit(
        []<class Kind>(Kind kind) -> std::optional<Op> {
            if constexpr (requires { kind.accumulated; }) {
                if (!kind.accumulated.addend) {
                    kind.accumulated.addend = true;
                    return kind;
                }
            }
            return std::nullopt;
        },
        op);
}

/// term + other as the op of the term, if that can add.
Value taking_in(const Value& term, const Value& other) {
    const std::optional<Op> op = with_addend(node_of(term).op);
    if (!op) {
        return {};
    }
    std::vector<Value> inputs = inputs_of(term);
    inputs.push_back(other);
    return term.graph().add(*op, inputs);
}

Value activated(const Value& x, Activation activation) {
    if (const auto* norm = op_of<NormaliseOp>(x); norm != nullptr && norm->activation.is_identity()) {
        NormaliseOp with_activation = *norm;
        with_activation.activation = activation;
        return x.graph().add(with_activation, inputs_of(x));
    }
    const std::optional<Fused> fused = fused_of(node_of(x).op);
    if (!fused || !fused->activation.is_identity()) {
        return {};
    }
    return x.graph().add(*with_fused(node_of(x).op, {fused->addend, activation}), inputs_of(x));
}

}  // namespace

Graph fuse_sums_and_activations(const Graph& graph) {
    const std::vector<int> uses = use_counts(graph);
    const auto replace = [&](Graph& /*copy*/, int node, const std::vector<Value>& inputs) -> Value {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        const auto is_read_here_alone = [&](std::size_t which) {
            return uses[static_cast<std::size_t>(old.inputs[which])] == 1;
        };
        if (const auto* activate = std::get_if<ActivateOp>(&old.op)) {
            return is_read_here_alone(0) ? activated(inputs[0], activate->activation) : Value();
        }
        if (!std::holds_alternative<AddOp>(old.op)) {
            return {};
        }
        const bool first_is_transform = op_of<AxisTransformOp>(inputs[0]) != nullptr;
        const std::array<std::size_t, 2> order =
            first_is_transform ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{1, 0};
        for (const std::size_t which : order) {
            const Value sum = is_read_here_alone(which) ? taking_in(inputs[which], inputs[1 - which]) : Value();
            if (sum.defined()) {
                return sum;
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
        const auto* activate = std::get_if<ActivateOp>(&old.op);
        const bool fuses = activate != nullptr && op_of<NormaliseOp>(inputs[0]) != nullptr &&
                           uses[static_cast<std::size_t>(old.inputs[0])] == 1;
        return fuses ? activated(inputs[0], activate->activation) : Value();
    }));
}

Graph fuse_concatenations(const Graph& graph) {
    const auto replace = [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const auto* conv = std::get_if<ConvOp>(&graph.nodes()[static_cast<std::size_t>(node)].op);
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
