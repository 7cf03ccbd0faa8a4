#pragma once

#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast {

/// What connects the cells of a RadialCase with each other and with the well: geometry and permeability, without the
/// viscosity. A connection of which a cell is inactive is 0, and so is its pore volume.
struct RadialConnections {
    std::vector<double> radial;       ///< [Z, R-1] transmissibility of a cell and its outer neighbour [cP m3/(day bar)]
    std::vector<double> vertical;     ///< [Z-1, R] transmissibility of a cell and the one below it [cP m3/(day bar)]
    std::vector<double> well;         ///< [Z] connection factor times the perforated share [cP m3/(day bar)]
    std::vector<double> pore_volume;  ///< [Z, R] [m3]

    RadialConnections() = default;
    /// Expects a case that RadialCase::check() has passed.
    explicit RadialConnections(const RadialCase& radial_case);
};

/// Mean depth of the perforation below the top of the formation [m], by its height in the active cells.
double perforation_depth(const RadialCase& radial_case);

/// Row below the last one that holds an active cell.
std::size_t active_rows(const RadialCase& radial_case);

}  // namespace plumecast
