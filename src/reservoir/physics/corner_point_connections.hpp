#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/box_case.hpp"

namespace plumecast {

/// The shape of a corner-point grid, as COORD and ZCORN hold it [m]; depth grows downwards.
struct CornerPoints {
    std::size_t rows = 0, lines = 0, columns = 0;  ///< Z, Y, X
    std::vector<double> pillars;                   ///< [Y+1, X+1, 6]: x, y, depth of the upper and of the lower end
    std::vector<double> depths;                    ///< [2Z, 2Y, 2X] at which corners of cells lie on their pillars

    std::size_t cells() const { return rows * lines * columns; }
    /// Of the mean of the corners of the cell at a place in [Z, Y, X].
    double centre_depth(std::size_t cell) const;
};

/// What transmissibilities need of the rock, [Z, Y, X] each.
struct CellPermeabilities {
    std::vector<double> permeability_x, permeability_y, permeability_z;  ///< [mD]
    std::vector<char> active;
};

/// What flows between the cells of a corner-point grid [cP m3/(day bar)].
struct CellConnections {
    /// [Z, Y, X] to the next cell along x and y, and to the one below; 0 where nothing flows.
    std::vector<double> x, y, z;
    /// Between cells of neighbouring columns that lie in different rows, beside each other along a fault, and between
    /// cells of one column with pinched out ones between them; the lesser place first, in the order of places.
    std::vector<BoxConnection> apart;
};

/// Two-point transmissibilities as simulators compute them: of each half A.d / d.d times the permeability across the
/// face, with the area vector A that both cells share and the vector d from the centre of a cell (the mean of its
/// corners) to that of its own face; the two halves in series. Cells above each other share a face where they touch to
/// a millimetre. Throws InvalidInput where sizes do not fit.
CellConnections corner_point_connections(const CornerPoints& grid, const CellPermeabilities& rock);

}  // namespace plumecast
