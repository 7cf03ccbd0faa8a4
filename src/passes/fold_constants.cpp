#include <algorithm>
#include <memory>
#include <string>

#include "passes/fold_constants.hpp"

namespace plumecast {
namespace {

/// The nodes that depend on no input and on no other rank.
std::vector<char> constant_nodes(const Graph& graph) {
    std::vector<char> constant;
    for (const Node& node : graph.nodes()) {
        bool is_constant = !node.op.is<InputOp>() && !node.op->is_collective();
        for (const int input : node.inputs) {
            is_constant = is_constant && constant[static_cast<std::size_t>(input)] != 0;
        }
        constant.push_back(is_constant ? 1 : 0);
    }
    return constant;
}

/// Computed nodes that depend on no input and are read by one that does, or are outputs.
std::vector<int> nodes_to_fold(const Graph& graph) {
    const std::vector<char> constant = constant_nodes(graph);
    std::vector<char> wanted(constant.size(), 0);
    for (std::size_t node = 0; node < constant.size(); ++node) {
        for (const int input : graph.nodes()[node].inputs) {
            wanted[static_cast<std::size_t>(input)] |= static_cast<char>(constant[node] == 0);
        }
    }
    for (const auto& [name, node] : graph.outputs()) {
        wanted[static_cast<std::size_t>(node)] = 1;
    }
    std::vector<int> nodes;
    for (std::size_t node = 0; node < constant.size(); ++node) {
        if (constant[node] != 0 && wanted[node] != 0 && graph.nodes()[node].op->given() == nullptr) {
            nodes.push_back(static_cast<int>(node));
        }
    }
    return nodes;
}

/// The first weight that a node depends on, or the first constant.
std::string source_of(const Graph& graph, int node) {
    std::string constant;
    std::vector<int> left{node};
    while (!left.empty()) {
        const Node& now = graph.nodes()[static_cast<std::size_t>(left.back())];
        left.pop_back();
        if (const auto* weight = now.op.as<WeightOp>()) {
            return weight->of;
        }
        if (const auto* given = now.op.as<ConstantOp>(); given != nullptr && constant.empty()) {
            constant = given->of;
        }
        left.insert(left.end(), now.inputs.rbegin(), now.inputs.rend());
    }
    return constant;
}

/// A name for each of the nodes: that of its source, with a number where the name is in use.
std::vector<std::string> names_of(const Graph& graph, const std::vector<int>& nodes) {
    std::vector<std::string> names;
    for (const int node : nodes) {
        const std::string name = source_of(graph, node) + ".folded";
        std::string free = name;
        for (int number = 2; std::ranges::find(names, free) != names.end(); ++number) {
            free = name + "." + std::to_string(number);
        }
        names.push_back(free);
    }
    return names;
}

/// Their values, in this order.
std::vector<ConstantOp> values_of(Backend& backend, Graph graph, const std::vector<int>& nodes, const Feed& weights) {
    const std::vector<std::string> names = names_of(graph, nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        graph.output(names[k], {graph, nodes[k]});
    }
    std::vector<ConstantOp> constants;
    for (const Tensor& result : evaluate(backend, pruned(graph, names), weights)) {
        Tensor host = host_zeros(result.shape(), DType::float64);
        backend.download(result, host);
        const auto numbers = host.values<double>();
        const ValueType type = graph.nodes()[static_cast<std::size_t>(nodes[constants.size()])].type;
        constants.push_back({names[constants.size()], type.shape,
                             std::make_shared<const std::vector<double>>(numbers.begin(), numbers.end()), type.type});
    }
    return constants;
}

}  // namespace

Graph fold_constants(Backend& backend, const Graph& graph, const Feed& weights) {
    const std::vector<int> nodes = nodes_to_fold(graph);
    const std::vector<ConstantOp> constants = values_of(backend, graph, nodes, weights);
    const auto replace = [&](Graph& copy, int node, const std::vector<Value>& /*inputs*/) {
        const auto found = std::ranges::find(nodes, node);
        return found == nodes.end() ? Value()
                                    : copy.add(constants[static_cast<std::size_t>(found - nodes.begin())], {});
    };
    return pruned(rebuilt(graph, replace));
}

}  // namespace plumecast
