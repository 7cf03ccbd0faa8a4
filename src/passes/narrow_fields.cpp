#include "passes/narrow_fields.hpp"

#include <optional>
#include <vector>

namespace plumecast {
namespace {

bool is_part_of_spectrum(const Op& reader, const Op& read) {
    return std::holds_alternative<AxisTransformOp>(read) &&
           (std::holds_alternative<AxisTransformOp>(reader) || std::holds_alternative<CombineSignsOp>(reader));
}

bool is_term_of_lift(const Op& reader, const Op& read) {
    return std::holds_alternative<MatMulOp>(read) && std::holds_alternative<PaddedSumOp>(reader);
}

/// The nodes whose results stay as wide as they are computed.
std::vector<char> wide_nodes(const Graph& graph) {
    std::vector<char> wide(graph.nodes().size(), 0);
    for (const Node& reader : graph.nodes()) {
        for (const int input : reader.inputs) {
            const Op& read = graph.nodes()[static_cast<std::size_t>(input)].op;
            if (is_part_of_spectrum(reader.op, read) || is_term_of_lift(reader.op, read)) {
                wide[static_cast<std::size_t>(input)] = 1;
            }
        }
    }
    for (const auto& [name, node] : graph.outputs()) {
        wide[static_cast<std::size_t>(node)] = 1;
    }
    return wide;
}

/// The op with a narrow result, where the type of its result is its own choice.
std::optional<Op> narrowed(const Op& op) {
    const auto with_narrow_result = [](auto kind) -> std::optional<Op> {
        kind.type = DType::bfloat16;
        return kind;
    };
    if (const auto* product = std::get_if<MatMulOp>(&op)) {
        return with_narrow_result(*product);
    }
    if (const auto* transform = std::get_if<AxisTransformOp>(&op)) {
        return with_narrow_result(*transform);
    }
    if (const auto* sum = std::get_if<PaddedSumOp>(&op)) {
        return with_narrow_result(*sum);
    }
    return std::nullopt;
}

}  // namespace

Graph narrow_fields(const Graph& graph) {
    const std::vector<char> wide = wide_nodes(graph);
    const auto replace = [&](Graph& copy, int node, const std::vector<Value>& inputs) -> Value {
        const Node& old = graph.nodes()[static_cast<std::size_t>(node)];
        if (wide[static_cast<std::size_t>(node)] == 0) {
            const std::optional<Op> op = narrowed(old.op);
            return op ? copy.add(*op, inputs) : Value();
        }
        const Value same = copy.add(old.op, inputs);
        return same.type() == old.type ? same : copy.add(CastOp{old.type.type}, {same});
    };
    return rebuilt(graph, replace);
}

}  // namespace plumecast
