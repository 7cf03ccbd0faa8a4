#pragma once

#include <vector>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Nodes that compute something, each after its inputs: of several inputs that are still to be computed, the one with
/// the most ops before it comes first, so that little waits beside long computations (Sethi and Ullman 1970). A
/// graph with collectives keeps its order.
std::vector<int> schedule(const Graph& graph);

}  // namespace plumecast
