#include <plumecast/core/error.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {

Graph& Value::graph() const {
    expects(graph_ != nullptr, "a value of a graph");
    return *graph_;
}

ValueType Value::type() const { return graph().nodes()[static_cast<std::size_t>(node_)].type; }

Value Value::input(int which) const {
    return {graph(), graph().nodes()[static_cast<std::size_t>(node_)].inputs[static_cast<std::size_t>(which)]};
}

int Value::input_count() const {
    return static_cast<int>(graph().nodes()[static_cast<std::size_t>(node_)].inputs.size());
}

}  // namespace plumecast
