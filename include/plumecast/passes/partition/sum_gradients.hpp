#pragma once

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The graph of a rank with its gradients, where what goes back through norms of a batch takes the sums of all ranks,
/// whose values the batch's moments come from. Gradients of weights that all ranks hold remain partial sums, which
/// are to be added up over the ranks. The grid outlives the graph.
Graph sum_norm_gradients(const Graph& graph, const ProcessGrid& grid);

}  // namespace plumecast
