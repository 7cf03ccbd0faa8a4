#pragma once

#include <vector>

namespace plumecast {

/// The edges [m] of a Cartesian grid, and what its cells state of their own; empty arrays where they state nothing.
struct BoxCells {
    const std::vector<double>& x_edges;
    const std::vector<double>& y_edges;
    const std::vector<double>& z_edges;
    const std::vector<float>& volumes;   ///< [Z, Y, X] [m3]
    const std::vector<float>& centre_x;  ///< [Z, Y, X] [m], as the next two
    const std::vector<float>& centre_y;
    const std::vector<float>& centre_z;
};

/// Whether the cells are those between the edges: they state neither volumes nor centres, or, as an import of a regular
/// grid does, those of the box to a thousandth of a cell. Cells without volume do not count.
bool is_box(const BoxCells& cells);

}  // namespace plumecast
