#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/graph/any_op.hpp>
#include <plumecast/graph/ops.hpp>

namespace plumecast {

/// One op, what it is applied to (nodes before it), and the type of what it gives.
struct Node {
    Op op;
    std::vector<int> inputs;
    ValueType type;
};

/// A computation described by its ops, in an order in which they can be run; no memory, no device. Values of shape and
/// element type are known, so a graph is that of one grid and batch.
class Graph {
   public:
    /// A node at the end. Throws Error when the inputs do not fit the op.
    Value add(Op op, const std::vector<Value>& inputs);
    Value input(const std::string& name, const ValueType& type);
    /// The weight of that name; the first to ask for it says what it is.
    Value weight(WeightOp weight);
    /// The constant of that name; `make` is called for the first to ask for it.
    Value constant(const std::string& name, const Shape& shape, const std::function<std::vector<double>()>& make);
    /// Names a value that the computation is there for.
    void output(const std::string& name, const Value& value);

    const std::vector<Node>& nodes() const { return nodes_; }
    /// Name and node, in the order they were named.
    const std::vector<std::pair<std::string, int>>& outputs() const { return outputs_; }
    /// Throws Error for a name that there is not.
    Value output(const std::string& name);
    /// Weights and buffers in the order of their nodes.
    std::vector<WeightOp> weights() const;

   private:
    std::vector<Node> nodes_;
    std::vector<std::pair<std::string, int>> outputs_;
};

/// What a value was made by; valid while its graph gets no further nodes.
inline const Node& node_of(const Value& value) { return value.graph().nodes()[static_cast<std::size_t>(value.node())]; }
/// The same where it is an op of this kind, else nullptr.
template <class Kind>
const Kind* op_of(const Value& value) {
    return node_of(value).op.as<Kind>();
}
/// What it was made from.
std::vector<Value> inputs_of(const Value& value);

/// What an op gives beside its result, counted from 0. Throws Error where it gives no such thing.
Value further_result(const Value& of, int which);
/// The nodes that are further results of each node, by their number; -1 where nobody asked for one.
std::vector<std::vector<int>> further_results(const Graph& graph);

/// A line for each op, with weights, inputs and constants under their names, and a line for each output:
///   %2 = matmul(%1, layer.weight, layer.bias) transpose_b : float32 [1, 8, 8, 8, 4]
///   prediction = %2
std::string text_of(const Graph& graph);

/// Gradients of the sum of result * cotangent with respect to `of`, as nodes of the same graph; undefined where the
/// result does not depend on one. Throws Error for an op that has no gradient.
std::vector<Value> gradients(const Value& result, const Value& cotangent, const std::vector<Value>& of);

/// How many nodes and outputs read each node.
std::vector<int> use_counts(const Graph& graph);

/// Types of the inputs of a node.
std::vector<ValueType> input_types(const Graph& graph, const Node& node);

/// A copy, node by node. `replace` may give another value for a node of the old graph, made in the new one from the
/// copies of its inputs; where it gives an undefined one the node is copied.
Graph rebuilt(const Graph& graph,
              const std::function<Value(Graph& copy, int node, const std::vector<Value>& inputs)>& replace);

/// With ops that others do the work of as these.
Graph lowered(const Graph& graph);

/// The copies of these nodes, of those of all.
std::vector<Value> copies_of(const std::vector<int>& nodes, const std::vector<Value>& copies);

/// Without the nodes that no output needs.
Graph pruned(const Graph& graph);
/// The same with these outputs only.
Graph pruned(const Graph& graph, const std::vector<std::string>& outputs);

/// Memory of a backend that holds an input or a weight.
using Feed = std::function<ConstView(const std::string& name)>;

/// The outputs, in their order, computed op by op, each intermediate value given back after its last use: the
/// interpreter that every transformation of a graph is judged by. float32 becomes the backend's compute_type(). Results
/// without a number, such as those of a rank that holds no cells, are not computed.
std::vector<Tensor> evaluate(Backend& backend, const Graph& graph, const Feed& feed);

}  // namespace plumecast
