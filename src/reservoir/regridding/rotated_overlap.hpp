#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/reservoir/dataset/grid_place.hpp>

#include "reservoir/dataset/turn.hpp"

namespace plumecast {

/// The columns of a box grid, seen from above.
struct PlanView {
    std::vector<double> x_edges;  ///< [X+1]
    std::vector<double> y_edges;  ///< [Y+1]

    /// Of a grid with such edges (GridAndTimes).
    template <class Grid>
    static PlanView of(const Grid& grid) {
        return {grid.x_edges, grid.y_edges};
    }

    std::size_t columns() const { return x_edges.size() - 1; }
    std::size_t lines() const { return y_edges.size() - 1; }
    Rectangle all() const { return {x_edges.front(), x_edges.back(), y_edges.front(), y_edges.back()}; }
    Rectangle cell(std::size_t line, std::size_t column) const;
    /// The same with its outermost cells continued around a rectangle.
    PlanView reaching(const Rectangle& rectangle) const;
};

/// What a rectangle shares with a column of cells.
struct AreaShare {
    std::size_t column;  ///< y * X + x
    double along_y;      ///< lengths [m] whose product is the area; 1 and the area where axes are not parallel
    double along_x;

    double area() const { return along_y * along_x; }
};

/// Part of a rectangle from one side to the opposite one, and what it shares with columns of cells one after the other.
struct Lane {
    double width;
    std::vector<std::size_t> columns;
    std::vector<double> lengths;
};

/// From the axes of a grid to those of another, both as aligned_with() gives them; no turn where not both are rotated.
Turn turn_between(const GridPlace& from, const GridPlace& to);

/// What a rectangle shares with the columns of a grid, whose axes `turn` leads to: exactly, by clipping polygons where
/// the axes are not parallel. Shares below 1e-9 of the rectangle are left out.
std::vector<AreaShare> shared_areas(const PlanView& grid, const Rectangle& rectangle, const Turn& turn);

/// The same by lanes along the x or y axis of the rectangle: those between the edges of the grid where the axes are
/// parallel, else eight of equal width, whose lengths are areas over widths.
std::vector<Lane> lanes_along_x(const PlanView& grid, const Rectangle& rectangle, const Turn& turn);
std::vector<Lane> lanes_along_y(const PlanView& grid, const Rectangle& rectangle, const Turn& turn);

}  // namespace plumecast
