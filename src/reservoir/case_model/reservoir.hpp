#pragma once

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/case_model/geology.hpp"

namespace plumecast {

/// A case on a grid, ready to be simulated. Maps cover the active rows only.
struct Reservoir {
    SampledCase inputs;
    RadialGrid grid;  ///< of the whole file; rows below the formation take no part
    std::size_t active_rows = 0;
    Geology rock;                     ///< [active rows, R]
    std::vector<double> perforation;  ///< [active rows] perforated fraction of the height of each row
    RockFluidSettings rock_fluid;     ///< those of the data set

    std::size_t columns() const { return grid.columns(); }
    double row_height(std::size_t row) const { return grid.z_edges[row + 1] - grid.z_edges[row]; }
    double thickness() const { return grid.z_edges[active_rows]; }  ///< [m]
};

/// Averages rock of one grid onto the cells of another of the same extent, so that flow and storage stay the same: pore
/// volume exactly; horizontal permeability arithmetically over the height, then in series outwards; vertical
/// permeability in series over the height, then arithmetically over the area. Only the first `rows` rows are made.
Geology averaged(const Geology& rock, const RadialGrid& from, const RadialGrid& to, std::size_t rows);

/// Puts a case on a grid. The formation takes the whole rows within its thickness, at least one; a perforation that
/// would reach below is moved up.
Reservoir make_reservoir(const SampledCase& sampled, const Geology& rock, const RadialGrid& lattice,
                         const RadialGrid& grid);

/// Estimate of the largest pressure build-up [bar]: steady radial flow of water around a plume that is twice as mobile,
/// through the perforated rows up to 50 m from the well and through all rows beyond, to the radius that pressure
/// reaches at the end of `days`.
double estimated_buildup(const Reservoir& reservoir, double days);

}  // namespace plumecast
