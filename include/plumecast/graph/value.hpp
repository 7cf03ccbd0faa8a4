#pragma once

#include <vector>

#include <plumecast/core/dtype.hpp>
#include <plumecast/core/shape.hpp>

namespace plumecast {

class Graph;

/// Shape and element type of a value. float32 stands for the type that a device computes with.
struct ValueType {
    Shape shape;
    DType type = DType::float32;

    friend bool operator==(const ValueType&, const ValueType&) = default;
};

/// What a node of a graph gives, or nothing. Belongs to the graph where it stands: valid while that is neither moved
/// nor destroyed.
class Value {
   public:
    Value() = default;
    Value(Graph& graph, int node) : graph_(&graph), node_(node) {}

    bool defined() const { return graph_ != nullptr; }
    Graph& graph() const;
    /// The number of its node.
    int node() const { return node_; }
    ValueType type() const;
    Shape shape() const { return type().shape; }
    /// What the node was made from.
    Value input(int which) const;
    int input_count() const;

    friend bool operator==(const Value&, const Value&) = default;

   private:
    Graph* graph_ = nullptr;
    int node_ = -1;
};

}  // namespace plumecast
