#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "reservoir/eclipse/grid.hpp"

namespace plumecast::eclipse {

/// A corner-point grid to write, as ECLIPSE states it: pillars, and the depths at which each cell meets its four. Cells
/// are counted with i fastest, then j, then k downwards; x, y and depth [m].
struct PillarGrid {
    std::size_t nx = 0;
    std::size_t ny = 0;
    std::size_t nz = 0;
    std::vector<float> coord;  ///< [(ny + 1) (nx + 1) 6]: x, y, depth of the upper and of the lower end of each pillar
    std::vector<float> zcorn;  ///< [2 nz, 2 ny, 2 nx]
    /// Points of the map that tell where the grid lies, x and y each: on its y axis, its x = y = 0, on its x axis.
    std::array<double, 6> map_axes = {0.0, 1.0, 0.0, 0.0, 1.0, 0.0};

    std::size_t cells() const { return nx * ny * nz; }
};

/// A full cylinder around the well, cut into `sectors` of equal angle: i outwards, j around, k downwards. Corners stand
/// at sqrt(2 pi / (S sin(2 pi / S))) times their radius, so that a polygon of S corners has the area of its circle
/// and every cell has 1/S of the volume of its ring. With one sector, the unrolled cylinder: trapezoids between the
/// pillars (r, -pi r) and (r, +pi r) with the volume of the whole ring, the grid that `plumecast generate` simulates.
/// Edges [R + 1], [Z + 1] [m]; `top` is the depth of the formation's top [m]. Throws InvalidInput for two sectors or
/// none.
PillarGrid cylinder_grid(std::span<const double> r_edges, std::span<const double> z_edges, std::size_t sectors,
                         double top);

/// A box of cells with vertical pillars between edges [nx + 1], [ny + 1] and [nz + 1] [m].
PillarGrid box_grid(std::span<const double> x_edges, std::span<const double> y_edges, std::span<const double> z_edges,
                    double top);

/// Corners of a cell, in the coordinates of the grid.
Corners cell_corners(const PillarGrid& grid, std::size_t i, std::size_t j, std::size_t k);

}  // namespace plumecast::eclipse
