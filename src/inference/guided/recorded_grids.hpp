#pragma once

#include <optional>
#include <span>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

/// Grid and times of a bundle's training; nothing where it does not record them. Throws InvalidModel for a damaged
/// record.
std::optional<GridAndTimes> recorded_grid(const Bundle& bundle);

/// The grids and times that a model learned from, in the order of its data sets, but the first, as it records them
/// under `training.more_grids`; those that are the same as one before are left out.
Json more_grids(std::span<const GridAndTimes> learned_from);

/// Whether a model was trained on several grids and the data set is on one of these, grid and times, so that its
/// networks take it as it is. Throws InvalidModel for a record that is damaged.
bool is_among_training_grids(const Bundle& bundle, const Dataset& dataset);

/// The last time [day] that a model knows: that of the grid and times which the data set is on, where it was trained on
/// several; 0 where it does not say.
double last_trained_time(const Bundle& bundle, const Dataset& dataset);

}  // namespace plumecast
