#include <plumecast/graph/graph.hpp>

namespace plumecast {
namespace {

/// "%3" for what is computed, its name for what is given.
std::string name_of_node(const Graph& graph, int node, const std::vector<int>& numbers) {
    const auto at = static_cast<std::size_t>(node);
    const std::string* given = graph.nodes()[at].op->given();
    return given != nullptr ? *given : "%" + std::to_string(numbers[at]);
}

std::string line_of(const Graph& graph, const Node& node, const std::vector<int>& numbers) {
    std::string inputs;
    for (const int input : node.inputs) {
        inputs += (inputs.empty() ? "" : ", ") + name_of_node(graph, input, numbers);
    }
    const std::string attributes = node.op->text();
    return node.op->name() + "(" + inputs + ")" + (attributes.empty() ? "" : " ") + attributes + " : " +
           std::string(plumecast::name_of(node.type.type)) + " " + node.type.shape.text();
}

}  // namespace

std::string text_of(const Graph& graph) {
    std::vector<int> numbers(graph.nodes().size(), -1);
    std::string text;
    int count = 0;
    for (std::size_t node = 0; node < numbers.size(); ++node) {
        if (graph.nodes()[node].op->given() == nullptr) {
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
