#pragma once

#include <array>

#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

/// A parallelogram on the map [m], such as a column of a grid: one of its corners, and the sides that begin there.
struct Parallelogram {
    std::array<double, 2> corner, along_x, along_y;
};

/// The share of a parallelogram, whose sides enclose an area, that lies within a polygon, 0 to 1: exact but for
/// rounding, for rings that are not convex, lie within each other or cross. It takes the time of the lines of the
/// polygon beside the parallelogram, and of their pairs within it.
double share_within(const Parallelogram& column, const MapPolygon& polygon);

}  // namespace plumecast
