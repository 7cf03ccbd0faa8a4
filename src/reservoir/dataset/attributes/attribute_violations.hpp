#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// What is wrong with the attributes of a data set: numbers that are not admissible, and names that all but spell one
/// which changes results. Texts of any other name are free. Names as short as `rotation` resemble others by chance: a
/// file, which may carry attributes of other programs, is only warned of them.
std::vector<Violation> attribute_violations(const DatasetStore& store);

/// Throws InvalidData for the first error among them.
void require_valid_attributes(const DatasetStore& store);

}  // namespace plumecast
