#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// Throws InvalidData for attributes that would change results on a box and that a corner-point grid has no use for:
/// `rotation` of cells that lie on the map already, `aquifer_factor` of cells without sides of a box. The arrays of the
/// grid have been checked.
void require_fitting_attributes(const DatasetStore& store);

/// Warnings of attributes that change nothing in this data set.
std::vector<Violation> idle_attributes(const DatasetStore& store);

}  // namespace plumecast
