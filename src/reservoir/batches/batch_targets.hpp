#pragma once

#include <vector>

#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Fills Batch::targets from the outputs of the data set, scaled by Batch::scales. Throws InvalidData naming file,
/// field, case and cell for a value that is not finite in an active cell.
void add_targets(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset);

}  // namespace plumecast
