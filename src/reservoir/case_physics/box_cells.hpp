#pragma once

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Whether the cells of a Cartesian data set are those between its edges: it states neither volumes nor centres, or, as
/// an import of a regular grid does, those of the box to a thousandth of a cell. Cells without volume do not count.
bool is_box(const Dataset& dataset);

}  // namespace plumecast
