#pragma once

#include <plumecast/distributed/process_grid.hpp>

namespace plumecast {

/// One of the ranks that share the work.
struct RankPlace {
    GridShape grid;
    int rank = 0;  ///< the first one has most work
    Route route = Route::automatic;
};

}  // namespace plumecast
