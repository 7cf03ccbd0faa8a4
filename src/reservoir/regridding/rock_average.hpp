#pragma once

#include <vector>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

/// Maps [Z, R] of one case of a radial grid, as a data set holds them.
struct RockMaps {
    std::vector<double> permeability_r, permeability_z;  ///< [mD]
    std::vector<double> porosity;
    std::vector<double> perforation;  ///< share of the height
    std::vector<char> active;
};

/// Rock brought onto another radial grid, each cell by its overlap with those of the other: porosity such that the pore
/// volume stays (at most 1), horizontal permeability arithmetically over the height, then in series outwards, vertical
/// permeability in series over the height, then by area, perforation by horizontal permeability times height.
///
/// A cell is active where at least half of it is, and the cell of a column with most of it where that is nowhere so;
/// what else is active counts with the nearest active cell of its column. Inactive cells have the rock of the nearest
/// active one. Where `from` ends before `to`, its outermost columns are continued, and rows beyond it are inactive.
RockMaps averaged_rock(const RockMaps& rock, const GridAndTimes& from, const GridAndTimes& to);

}  // namespace plumecast
