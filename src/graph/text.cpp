#include <plumecast/graph/graph.hpp>

namespace plumecast {
namespace {

template <class Kind>
constexpr bool is_named = requires(const Kind& op) {
    op.of.size();
};

/// "%3" for what is computed, its name for what is given.
std::string name_of_node(const Graph& graph, int node, const std::vector<int>& numbers) {
    const auto at = static_cast<std::size_t>(node);
    return std::visit(
        [&]<class Kind>(const Kind& op) {
            if constexpr (is_named<Kind>) {
                return op.of;
            } else {
                return "%" + std::to_string(numbers[at]);
            }
        },
        graph.nodes()[at].op);
}

std::string attributes(const Op& op) {
    return std::visit(
        []<class Kind>(const Kind& kind) {
            if constexpr (requires { kind.text(); }) {
                const std::string text = kind.text();
                return text.empty() ? text : " " + text;
            } else {
                return std::string();
            }
        },
        op);
}

std::string line_of(const Graph& graph, const Node& node, const std::vector<int>& numbers) {
    std::string inputs;
    for (const int input : node.inputs) {
        inputs += (inputs.empty() ? "" : ", ") + name_of_node(graph, input, numbers);
    }
    const char* name = std::visit([]<class Kind>(const Kind& /*op*/) { return Kind::name; }, node.op);
    return std::string(name) + "(" + inputs + ")" + attributes(node.op) + " : " +
           std::string(plumecast::name_of(node.type.type)) + " " + node.type.shape.text();
}

}  // namespace

std::string text_of(const Graph& graph) {
    std::vector<int> numbers(graph.nodes().size(), -1);
    std::string text;
    int count = 0;
    for (std::size_t node = 0; node < numbers.size(); ++node) {
        const bool is_given =
            std::visit([]<class Kind>(const Kind&) { return is_named<Kind>; }, graph.nodes()[node].op);
        if (!is_given) {
            numbers[node] = ++count;
            text += "%" + std::to_string(count) + " = " + line_of(graph, graph.nodes()[node], numbers) + "\n";
        }
    }
    for (const auto& [name, node] : graph.outputs()) {
        text += name + " = " + name_of_node(graph, node, numbers) + "\n";
    }
    return text;
}

}  // namespace plumecast
