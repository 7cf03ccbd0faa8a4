#pragma once

#include <map>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

/// The grids and times that a model learned from, edges in metres and times in days. Cases on any of them are predicted
/// as they are; cases on others are brought to the first one, and have no derivatives. None where the model does not
/// say. Throws InvalidModel for a damaged record.
std::vector<GridAndTimes> training_grids(const Bundle& bundle);

/// Edges [m] and times [day] of the first of them by the names of the data set format: "r_edges", "x_edges", "y_edges",
/// "z_edges" and "times", of which those that the grid does not have are empty.
std::map<std::string, std::vector<double>> training_axes(const Bundle& bundle);

}  // namespace plumecast
