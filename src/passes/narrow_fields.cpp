#include "passes/narrow_fields.hpp"

#include <optional>
#include <vector>

namespace plumecast {
namespace {

/// The nodes whose results stay as wide as they are computed.
std::vector<char> wide_nodes(const Graph& graph) {
    std::vector<char> wide(graph.nodes().size(), 0);
    for (const Node& reader : graph.nodes()) {
        for (const int input : reader.inputs) {
            wide[static_cast<std::size_t>(input)] |= static_cast<char>(reader.op->reads_wide());
        }
    }
    for (const auto& [name, node] : graph.outputs()) {
        wide[static_cast<std::size_t>(node)] = 1;
    }
    return wide;
}

}  // namespace

Graph narrow_fields(const Graph& graph) {
    const std::vector<char> wide = wide_nodes(graph);
    const auto replace = [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        if (wide[static_cast<std::size_t>(node)] == 0) {
            const std::optional<Op> op = old.op->narrowed();
            return op ? copy.add(*op, inputs) : Value();
        }
        const Value same = copy.add(old.op, inputs);
        return same.type() == old.type ? same : copy.add(CastOp{old.type.type}, {same});
    };
    return rebuilt(graph, replace);
}

}  // namespace plumecast
