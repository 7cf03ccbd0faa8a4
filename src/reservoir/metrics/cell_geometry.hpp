#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace plumecast {

/// What the cells of a grid measure, whatever its shape: `rows` layers of `columns` map cells each (rings, or the
/// cells of a rectangular map), cells counted with the column fastest.
struct CellGeometry {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> volumes;        ///< [rows * columns] bulk volume [m3]
    std::vector<double> areas;          ///< [columns] map area [m2]
    std::vector<double> reaches;        ///< [columns] distance from the well to the far edge [m]
    std::vector<double> nears;          ///< [columns] distance from the well to the near edge [m]
    std::vector<std::size_t> inner;     ///< [columns] the column one step nearer to the well; itself at the well
    bool is_radial = false;             ///< columns are rings
    std::vector<double> centres;        ///< [columns] distance from the well to the centre [m]
    std::vector<double> depths;         ///< [rows + 1] depth of the layers' edges below the top of the formation [m]
    std::vector<double> centre_depths;  ///< [cells] depth of the cells' own centres [m]; empty for level layers

    std::size_t cells() const { return rows * columns; }
    /// Distance from the well within a column [m] that bounds this share of it, 0 at the near edge: of its area for
    /// rings, of its width for boxes.
    double within(std::size_t column, double share) const;
    /// The share of a column within a distance from the well [m], 0 to 1.
    double share_within(std::size_t column, double distance) const;
    /// Depth of the centre of a cell below the top of the formation [m].
    double depth_of(std::size_t cell) const {
        if (!centre_depths.empty()) {
            return centre_depths[cell];
        }
        const std::size_t row = cell / columns;
        return 0.5 * (depths[row] + depths[row + 1]);
    }
    /// Depths of the top and of the bottom of a cell below the top of the formation [m]: the edges of its layer, or
    /// half the height of the layer from its own centre.
    std::pair<double, double> depths_of(std::size_t cell) const {
        const std::size_t row = cell / columns;
        const double half = 0.5 * (depths[row + 1] - depths[row]);
        return centre_depths.empty() ? std::pair(depths[row], depths[row + 1])
                                     : std::pair(centre_depths[cell] - half, centre_depths[cell] + half);
    }
};

/// Rings around a well in the axis, from the edges [R + 1] and [Z + 1] [m]. Throws InvalidInput as cell_volumes().
CellGeometry radial_geometry(std::span<const double> r_edges, std::span<const double> z_edges);

/// Centres [m] and areas [m2] of the columns of a corner-point grid on the map, parallelograms around the centres.
struct ColumnPlaces {
    std::vector<double> x, y, areas;
    std::vector<std::array<double, 2>> along_x, along_y;  ///< from the middle of one side to that of the other
};

/// Of the centres of cells [Z, Y, X] [m], those without volume left out: centres of columns are the means of their
/// cells, and sides what the centres of the columns around lie apart. A column without neighbours along an axis has the
/// width between the edges there, at a right angle to the other axis; one without any, and one without volume, which
/// has no centre, lies as the box of the edges does once it is turned to where it fits the centres best.
ColumnPlaces column_places(std::span<const double> x_edges, std::span<const double> y_edges,
                           std::span<const float> volumes, std::span<const float> centre_x,
                           std::span<const float> centre_y);

/// A box of cells with the edges [X + 1], [Y + 1] and [Z + 1] [m], x fastest. Distances count from the nearest well,
/// which stand in the middle of the map cells `wells`, to the far corner of a map cell; without wells they are 0.
/// Volumes are those between the edges. Columns with `places` of their own, as those of a corner-point grid, have these
/// centres, sides and areas; the way to the well follows the lines of the grid.
CellGeometry box_geometry(std::span<const double> x_edges, std::span<const double> y_edges,
                          std::span<const double> z_edges, std::span<const std::size_t> wells,
                          const ColumnPlaces* places = nullptr);

}  // namespace plumecast
