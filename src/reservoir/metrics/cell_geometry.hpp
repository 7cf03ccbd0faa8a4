#pragma once

#include <cstddef>
#include <span>
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
};

/// Rings around a well in the axis, from the edges [R + 1] and [Z + 1] [m]. Throws InvalidInput as cell_volumes().
CellGeometry radial_geometry(std::span<const double> r_edges, std::span<const double> z_edges);

/// A box of cells with the edges [X + 1], [Y + 1] and [Z + 1] [m], x fastest. Distances count from the nearest well,
/// which stand in the middle of the map cells `wells`, to the far corner of a map cell; without wells they are 0.
/// Volumes are those between the edges.
CellGeometry box_geometry(std::span<const double> x_edges, std::span<const double> y_edges,
                          std::span<const double> z_edges, std::span<const std::size_t> wells);

}  // namespace plumecast
