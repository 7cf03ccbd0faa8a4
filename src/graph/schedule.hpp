#pragma once

#include <vector>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// Nodes that compute something and that an output needs, each after its inputs: of several inputs that are still to be
/// computed, the one with the most ops before it comes first, so that little waits beside long computations (Sethi and
/// Ullman 1970).
std::vector<int> depth_first_order(const Graph& graph);

/// The same, but a graph with collectives keeps its order.
std::vector<int> schedule(const Graph& graph);

}  // namespace plumecast
