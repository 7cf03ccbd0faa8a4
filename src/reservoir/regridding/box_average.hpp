#pragma once

#include <vector>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

/// Maps [Z, Y, X] of one case of a box grid, as a data set holds them.
struct BoxMaps {
    std::vector<double> permeability_x, permeability_y, permeability_z;  ///< [mD]
    std::vector<double> porosity;
    std::vector<double> perforation;     ///< share of the height
    std::vector<double> injection_rate;  ///< of the cell [Mt/year]
    std::vector<char> active;
};

/// Rock and wells brought onto another box grid, each cell by its overlap with those of the other, which lies on it as
/// aligned_with() says: porosity such that the pore volume stays (at most 1), horizontal permeability arithmetically
/// over the height, then in series along its direction, then side by side, vertical permeability in series over the
/// height, then by area. A well stays in the column that holds the centre of its own, with its rate; what is open there
/// is averaged by horizontal permeability times height.
///
/// Where the axes are turned against each other by an angle a, the permeability of a cell along x is that of its
/// horizontal tensor, k_x cos(a)^2 + k_y sin(a)^2, and along y the other; the part that drives flow across the gradient
/// is left out.
///
/// A cell is active where at least half of it is, and the cell of a column with most of it where that is nowhere so;
/// what else is active counts with the nearest active cell of its column, with the rate. Inactive cells have the rock
/// of the nearest active one. Where `from` ends before `to`, its outermost columns are continued, and rows beyond it
/// are inactive.
BoxMaps averaged_box(const BoxMaps& maps, const GridAndTimes& from, const GridAndTimes& to);

}  // namespace plumecast
