#pragma once

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// The graph without cells that no output needs: where a crop follows, the ops before it work on the cells that it
/// keeps and those beyond them that convolutions reach. Fields are cropped where that spares a convolution or matrix
/// product a fifth of its cells, or a sum half of them. Before sums are fused.
Graph compute_needed_cells(const Graph& graph);

}  // namespace plumecast
