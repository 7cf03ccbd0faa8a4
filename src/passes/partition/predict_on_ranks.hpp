#pragma once

#include "passes/partition/partition.hpp"

namespace plumecast {

/// for_prediction() of this rank's part of a network: see partition(). `weights` are those that this rank holds.
/// Folding of layers comes before the cut, so that what is computed does not depend on how many ranks there are. All
/// cells that a rank holds are computed where ranks cut space, and by Route::transpose, whose bits are those of any
/// number of ranks; else only those that are needed. Collective.
Graph predict_on_ranks(Backend& backend, const Graph& described, const Feed& weights, const ProcessGrid& grid,
                       CellRange cases);

}  // namespace plumecast
