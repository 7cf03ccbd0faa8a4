#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

/// The share of each column [Y, X] of a Cartesian grid that lies within an area, on the map where the data set says how
/// it lies there, else in its own coordinates. Throws InvalidData for another kind of grid, and where the area and the
/// grid have no point in common.
std::vector<double> shares_within(const Dataset& dataset, const MapPolygon& area);

}  // namespace plumecast
