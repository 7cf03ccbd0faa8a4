#pragma once

#include <string>

#include <plumecast/graph/graph.hpp>

namespace plumecast::testing {

/// How often a graph has the op of this name.
inline std::int64_t count_of(const Graph& graph, const std::string& op) {
    std::int64_t count = 0;
    for (const Node& node : graph.nodes()) {
        count += std::visit([&]<class Kind>(const Kind&) { return Kind::name == op ? 1 : 0; }, node.op);
    }
    return count;
}

}  // namespace plumecast::testing
