#pragma once

#include "passes/partition/partition.hpp"

namespace plumecast {

/// before_gradients() of this rank's part of a network: see partition(). Folding of layers comes before the cut. All
/// cells that a rank holds are computed where ranks cut space, and by Route::transpose; else only those that are
/// needed. Collective.
Graph before_gradients_on_ranks(Backend& backend, const Graph& described, const ProcessGrid& grid, CellRange cases);

/// after_gradients(), in an order in which messages travel behind arithmetic: see overlap_messages().
Graph after_gradients_on_ranks(const Graph& graph);

}  // namespace plumecast
