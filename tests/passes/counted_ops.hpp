#pragma once

#include <string>

#include <plumecast/graph/graph.hpp>

namespace plumecast::testing {

/// How often a graph has the op of this name.
inline std::int64_t count_of(const Graph& graph, const std::string& op) {
    std::int64_t count = 0;
    for (const Node& node : graph.nodes()) {
        count += node.op->name() == op ? 1 : 0;
    }
    return count;
}

}  // namespace plumecast::testing
