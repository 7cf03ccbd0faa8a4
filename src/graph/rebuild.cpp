#include <algorithm>

#include <plumecast/graph/graph.hpp>

namespace plumecast {
namespace {

/// The nodes that these depend on, themselves among them.
std::vector<char> needed_for(const Graph& graph, const std::vector<int>& nodes) {
    std::vector<char> needed(graph.nodes().size(), 0);
    for (const int node : nodes) {
        needed[static_cast<std::size_t>(node)] = 1;
    }
    for (std::size_t node = needed.size(); node-- > 0;) {
        for (const int input : graph.nodes()[node].inputs) {
            needed[static_cast<std::size_t>(input)] |= needed[node];
        }
    }
    return needed;
}

}  // namespace

std::vector<Value> copies_of(const std::vector<int>& nodes, const std::vector<Value>& copies) {
    std::vector<Value> values;
    for (const int node : nodes) {
        values.push_back(copies[static_cast<std::size_t>(node)]);
    }
    return values;
}

std::vector<int> use_counts(const Graph& graph) {
    std::vector<int> count(graph.nodes().size(), 0);
    for (const Node& node : graph.nodes()) {
        for (const int input : node.inputs) {
            ++count[static_cast<std::size_t>(input)];
        }
    }
    for (const auto& [name, node] : graph.outputs()) {
        ++count[static_cast<std::size_t>(node)];
    }
    return count;
}

Graph rebuilt(const Graph& graph,
              const std::function<Value(Graph& copy, int node, const std::vector<Value>& inputs)>& replace) {
    Graph copy;
    std::vector<Value> copies;
    for (const Node& node : graph.nodes()) {
        const std::vector<Value> inputs = copies_of(node.inputs, copies);
        const Value other = replace(copy, static_cast<int>(copies.size()), inputs);
        copies.push_back(other.defined() ? other : copy.add(node.op, inputs));
    }
    for (const auto& [name, node] : graph.outputs()) {
        copy.output(name, copies[static_cast<std::size_t>(node)]);
    }
    return copy;
}

Graph lowered(const Graph& graph) {
    return rebuilt(graph, [&](Graph& /*copy*/, int node, const std::vector<Value>& inputs) {
        return graph.nodes()[static_cast<std::size_t>(node)].op->lowered(inputs);
    });
}

Graph pruned(const Graph& graph) {
    std::vector<std::string> all;
    for (const auto& [name, node] : graph.outputs()) {
        all.push_back(name);
    }
    return pruned(graph, all);
}

Graph pruned(const Graph& graph, const std::vector<std::string>& outputs) {
    std::vector<std::pair<std::string, int>> kept;
    std::vector<int> wanted;
    for (const auto& output : graph.outputs()) {
        if (std::ranges::find(outputs, output.first) != outputs.end()) {
            kept.push_back(output);
            wanted.push_back(output.second);
        }
    }
    const std::vector<char> needed = needed_for(graph, wanted);
    Graph copy;
    std::vector<Value> copies(needed.size());
    for (std::size_t node = 0; node < needed.size(); ++node) {
        if (needed[node] != 0) {
            copies[node] = copy.add(graph.nodes()[node].op, copies_of(graph.nodes()[node].inputs, copies));
        }
    }
    for (const auto& [name, node] : kept) {
        copy.output(name, copies[static_cast<std::size_t>(node)]);
    }
    return copy;
}

}  // namespace plumecast
