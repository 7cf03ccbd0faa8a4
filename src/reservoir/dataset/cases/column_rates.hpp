#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class DatasetStore;

/// How the schedule of a Cartesian store and `cell_injection_rate` contradict each other well by well: an error where a
/// column takes in another mean than its well has, a warning where there are not as many wells as perforated columns.
/// The arrays must be sound by themselves; nothing for a store without a schedule. Throws InvalidData for an array that
/// cannot be read.
std::vector<Violation> column_rate_violations(const DatasetStore& store);

}  // namespace plumecast
