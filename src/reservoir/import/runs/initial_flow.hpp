#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// TRANX, TRANY and TRANZ of an INIT file, and TRANNNC between the cells that the grid file names, times `unit`;
/// nothing where the file lacks one. `over_cells` gives an array of the file for all cells of the grid. Throws
/// InvalidData for values that are no transmissibilities.
std::optional<Transmissibilities> transmissibilities_of(
    eclipse::StepFiles& initial, const eclipse::CornerPointGrid& grid, double unit,
    const std::function<std::vector<double>(std::string_view keyword)>& over_cells);

}  // namespace plumecast
