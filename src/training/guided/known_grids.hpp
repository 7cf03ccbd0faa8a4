#pragma once

#include <plumecast/training/bundle.hpp>

#include "training/run/run_data.hpp"

namespace plumecast {

/// Grids and times of the data sets to learn from but the first, as a model records them under `training.more_grids`;
/// those that are the same as one before are left out.
Json more_grids(const RunData& data);

/// Whether a model knows the grid and the times of a data set as one of those, so that its networks take it as it is.
/// Throws InvalidModel for a record that is damaged.
bool is_among_more_grids(const Bundle& bundle, const Dataset& dataset);

}  // namespace plumecast
