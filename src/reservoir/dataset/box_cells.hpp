#pragma once

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/regular_cells.hpp"

namespace plumecast {

/// Whether the cells of a Cartesian data set are those of a box.
bool is_box(const Dataset& dataset);

}  // namespace plumecast
