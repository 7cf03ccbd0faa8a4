#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/case_model/grid.hpp"
#include "reservoir/physics/corner_point_connections.hpp"

namespace plumecast {

/// The sides of cells of a box that a fault follows.
struct FaultTrace {
    FaultAxis along = FaultAxis::y;
    std::size_t at = 0;     ///< the first line or column of cells beyond it
    std::size_t first = 0;  ///< cells [first, end) along it
    std::size_t end = 0;
};

/// The corners of the cells of a box, whose layers lie as `settings.topography` says; depths count from the highest
/// corner. Expects a topography.
CornerPoints box_corner_points(const BoxSettings& settings, const BoxGrid& grid);

/// The faults of a box, in the order of the settings: every cell between the ends of a fault has its side there.
std::vector<FaultTrace> fault_traces(const BoxSettings& settings, const BoxGrid& grid);

/// The uppermost rows of a grid.
CornerPoints first_rows(const CornerPoints& grid, std::size_t rows);

}  // namespace plumecast
