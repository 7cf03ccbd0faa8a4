#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The graph with everything that depends on weights and constants alone computed once, on a backend: such values
/// become constants under the name of the first weight they come from, and `.folded`. A graph in training, whose
/// weights move, is not for this.
Graph fold_constants(Backend& backend, const Graph& graph, const Feed& weights);

}  // namespace plumecast
