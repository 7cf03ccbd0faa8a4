#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {
namespace {

/// The nodes that depend on one of `of`.
std::vector<char> dependent_on(const Graph& graph, const std::vector<Value>& of) {
    std::vector<char> depends(graph.nodes().size(), 0);
    for (const Value& value : of) {
        depends[static_cast<std::size_t>(value.node())] = 1;
    }
    for (std::size_t node = 0; node < depends.size(); ++node) {
        for (const int input : graph.nodes()[node].inputs) {
            depends[node] = static_cast<char>(depends[node] | depends[static_cast<std::size_t>(input)]);
        }
    }
    return depends;
}

std::vector<Value> gradients_of_inputs(const Value& result, const Value& g) {
    const Op op = node_of(result).op;  // the nodes move while others are added
    const std::vector<Value> inputs = inputs_of(result);
    const Value made = op->lowered(inputs);
    return made.defined() ? gradients(made, g, inputs) : op->gradient(result, g);
}

}  // namespace

std::vector<Value> gradients(const Value& result, const Value& cotangent, const std::vector<Value>& of) {
    Graph& graph = result.graph();
    expects(cotangent.type() == result.type(), "a cotangent of the type of the result");
    const std::vector<char> depends = dependent_on(graph, of);
    std::vector<Value> collected(depends.size());
    collected[static_cast<std::size_t>(result.node())] = cotangent;
    for (int node = result.node(); node >= 0; --node) {
        const Value g = collected[static_cast<std::size_t>(node)];
        const std::vector<int> inputs = graph.nodes()[static_cast<std::size_t>(node)].inputs;
        bool is_wanted = false;
        for (const int input : inputs) {
            is_wanted = is_wanted || depends[static_cast<std::size_t>(input)] != 0;
        }
        if (!g.defined() || !is_wanted) {
            continue;
        }
        const std::vector<Value> passed = gradients_of_inputs({graph, node}, g);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const auto input = static_cast<std::size_t>(inputs[k]);
            if (depends[input] != 0 && passed[k].defined()) {
                Value& sum = collected[input];
                sum = sum.defined() ? graph.add(AddOp{}, {sum, passed[k]}) : passed[k];
            }
        }
    }
    std::vector<Value> gradients;
    for (const Value& value : of) {
        gradients.push_back(collected[static_cast<std::size_t>(value.node())]);
    }
    return gradients;
}

}  // namespace plumecast
