#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

/// The share of each column [Y, X] of a Cartesian grid that lies within an area, on the map where the data set says how
/// it lies there, else in its own coordinates. Throws InvalidData for another kind of grid, and where the area and the
/// grid have no point in common.
std::vector<double> shares_within(const Dataset& dataset, const MapPolygon& area);

/// Centres [x, y] [m] of the columns [Y, X] of a Cartesian grid, on the map where the data set says how it lies there,
/// else in its own coordinates. Expects a Cartesian grid.
std::vector<std::array<double, 2>> column_centres(const Dataset& dataset);

/// The column [Y, X] or ring that holds a place [m]: x and y, on the map where the data set says how it lies there, or
/// the distance from the well of rings. Throws InvalidInput for another count of numbers and outside of the grid.
std::size_t column_at(const Dataset& dataset, std::span<const double> place);

}  // namespace plumecast
