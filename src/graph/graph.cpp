#include <plumecast/graph/graph.hpp>

#include <algorithm>

#include <plumecast/core/error.hpp>

#include "graph/ops/further_result.hpp"

namespace plumecast {
namespace {

/// The node that holds an op of this kind and name; -1 where none does.
template <class Kind>
int node_of(const std::vector<Node>& nodes, const std::string& name) {
    const auto found = std::ranges::find_if(nodes, [&](const Node& node) {
        const Kind* op = node.op.as<Kind>();
        return op != nullptr && op->of == name;
    });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

}  // namespace

Value Graph::add(Op op, const std::vector<Value>& inputs) {
    std::vector<int> from;
    std::vector<ValueType> types;
    for (const Value& input : inputs) {
        expects(&input.graph() == this, "values of the same graph");
        from.push_back(input.node());
        types.push_back(input.type());
    }
    const ValueType type = op->result(types);
    nodes_.push_back({std::move(op), std::move(from), type});
    return {*this, static_cast<int>(nodes_.size()) - 1};
}

void refuse_gradient(const char* name) {
    throw Error(std::string("op ") + name + " has no gradient; ask for one of another value");
}

Value applied(Op op, const std::vector<Value>& inputs) {
    expects(!inputs.empty(), "an op of other values");
    return inputs.front().graph().add(std::move(op), inputs);
}

Value Graph::input(const std::string& name, const ValueType& type) {
    expects(node_of<InputOp>(nodes_, name) < 0, "an input of a new name");
    return add(InputOp{name, type}, {});
}

Value Graph::weight(WeightOp weight) {
    const int existing = node_of<WeightOp>(nodes_, weight.of);
    expects(existing < 0 || Value(*this, existing).shape() == weight.shape, "one shape for each weight");
    return existing < 0 ? add(std::move(weight), {}) : Value(*this, existing);
}

Value Graph::constant(const std::string& name, const Shape& shape, const std::function<std::vector<double>()>& make) {
    const int existing = node_of<ConstantOp>(nodes_, name);
    if (existing >= 0) {
        expects(Value(*this, existing).shape() == shape, "one shape for each constant");
        return {*this, existing};
    }
    auto values = std::make_shared<const std::vector<double>>(make());
    expects(static_cast<std::int64_t>(values->size()) == shape.count(), "as many numbers as the shape has");
    return add(ConstantOp{name, shape, std::move(values)}, {});
}

void Graph::output(const std::string& name, const Value& value) {
    expects(&value.graph() == this, "an output of the same graph");
    outputs_.emplace_back(name, value.node());
}

Value Graph::output(const std::string& name) {
    const auto found = std::ranges::find(outputs_, name, &std::pair<std::string, int>::first);
    expects(found != outputs_.end(), "an output of this name");
    return {*this, found->second};
}

std::vector<Value> inputs_of(const Value& value) {
    std::vector<Value> inputs;
    for (int which = 0; which < value.input_count(); ++which) {
        inputs.push_back(value.input(which));
    }
    return inputs;
}

std::vector<ValueType> input_types(const Graph& graph, const Node& node) {
    std::vector<ValueType> types;
    for (const int input : node.inputs) {
        types.push_back(graph.nodes()[static_cast<std::size_t>(input)].type);
    }
    return types;
}

Value further_result(const Value& of, int which) {
    const Node& node = node_of(of);
    const std::vector<ValueType> results = node.op->further_results(input_types(of.graph(), node));
    expects(which >= 0 && static_cast<std::size_t>(which) < results.size(), "an op of so many results");
    return of.graph().add(FurtherResultOp{which, results[static_cast<std::size_t>(which)]}, {of});
}

std::vector<std::vector<int>> further_results(const Graph& graph) {
    std::vector<std::vector<int>> results(graph.nodes().size());
    for (std::size_t node = 0; node < results.size(); ++node) {
        const Node& now = graph.nodes()[node];
        if (const auto* result = now.op.as<FurtherResultOp>()) {
            std::vector<int>& of = results[static_cast<std::size_t>(now.inputs[0])];
            of.resize(std::max(of.size(), static_cast<std::size_t>(result->which) + 1), -1);
            of[static_cast<std::size_t>(result->which)] = static_cast<int>(node);
        }
    }
    return results;
}

std::vector<WeightOp> Graph::weights() const {
    std::vector<WeightOp> weights;
    for (const Node& node : nodes_) {
        if (const auto* weight = node.op.as<WeightOp>()) {
            weights.push_back(*weight);
        }
    }
    return weights;
}

}  // namespace plumecast
