#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "reservoir/eclipse/grid.hpp"

namespace plumecast {

/// A grid as a data set stores it.
struct StoredGrid {
    Geometry geometry = Geometry::radial;
    std::vector<double> r_edges;  ///< of a radial grid [m]
    std::vector<double> x_edges;  ///< of a Cartesian grid [m]
    std::vector<double> y_edges;
    std::vector<double> z_edges;  ///< depth below the top of the formation [m]
    /// cell_volume [m3] and cell_centre_x, _y, _z [m] of a corner-point grid [Z, Y, X], and its pillars and
    /// corner_depths, where it is no box and they are known.
    std::map<std::string, std::vector<float>> cells;
    double ring_share = 1.0;              ///< of the circle that the cells of a radial grid fill: less of a wedge
    double top = 0.0;                     ///< depth of the top of the formation [m]
    std::int64_t first_row = 0;           ///< rows of the model above the formation, without active cells
    std::string origin;                   ///< what the coordinates of a corner-point grid count from, as text
    std::vector<std::string> notes = {};  ///< what the grid holds and a data set cannot carry, in words

    std::int64_t rows() const { return static_cast<std::int64_t>(z_edges.size()) - 1; }
    std::int64_t lines() const {
        return geometry == Geometry::radial ? 1 : static_cast<std::int64_t>(y_edges.size()) - 1;
    }
    std::int64_t columns() const {
        return static_cast<std::int64_t>((geometry == Geometry::radial ? r_edges : x_edges).size()) - 1;
    }
    /// Whether the cells are those between the edges (is_box()).
    bool is_plain_box() const;
    /// Cells of a map.
    std::int64_t map_cells() const { return rows() * lines() * columns(); }
    /// Cells of the model, with those of the rows above the formation.
    std::int64_t model_cells() const { return map_cells() + first_row * lines() * columns(); }
};

/// A grid of rings around one well: one cell along j, pillars at (r, -pi r) and (r, pi r) (an unrolled cylinder), at
/// the same distances from the axis under two angles (a wedge), or in cylindrical coordinates; vertical pillars,
/// horizontal layers without gaps. `ring_share` is the angle of a wedge over 360 degrees. Throws InvalidData naming
/// `name` and what is against it.
StoredGrid radial_shape(const eclipse::CornerPointGrid& grid, const std::string& name);

/// Any corner-point grid on its own indices: edges from the mean widths of the active cells, volumes and centres of the
/// cells, on the map where the grid tells its axes. Cells whose bottom lies above their top have no volume. Throws
/// InvalidData when no cell is active, and when most layers are numbered upwards.
StoredGrid box_shape(const eclipse::CornerPointGrid& grid, const std::string& name);

/// Values [Z, Y, X] of a model, whose rows `shape` tells, as the map of a data set on `grid`: rows from the top of the
/// formation on, 0 below the last one.
std::vector<float> over_grid(const std::vector<double>& of_model, const StoredGrid& shape, const StoredGrid& grid);
/// Volume [m3] that a data set gives to a cell of a radial grid, within the share of the ring that the model fills:
/// that between two arcs. Cells count as in the model, rows above the formation left out.
double ring_volume(const StoredGrid& shape, std::size_t cell);
/// Depth of the centre of a cell below the top of the formation [m]; cells count as in the model.
double cell_depth(const StoredGrid& shape, std::size_t cell);

/// Throws InvalidData naming `name` when a case cannot stand on `grid` beside others: another kind, other edges (a
/// radial case may have fewer rows), other volumes.
void check_same(const StoredGrid& grid, const StoredGrid& of_case, const std::string& name, const std::string& first);

}  // namespace plumecast
