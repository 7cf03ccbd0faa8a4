#pragma once

#include <string>
#include <vector>

#include "reservoir/physics/box_case.hpp"

namespace plumecast {

/// Slightly compressible flow of brine in a box that takes up the volume of the CO2 injected through its wells.
struct BoxFlow {
    std::vector<double> pressure_buildup;  ///< [T, Z, Y, X] [bar], 0 in inactive cells
    std::vector<BoxCaseWell> wells;        ///< as box_wells() has them
    std::vector<double> well_buildup;      ///< [T, wells] [bar]
    std::vector<double> volume_rates;      ///< [wells] injected, at the density of CO2 at their depth [m3/day]
    double viscosity = 0.0;                ///< [cP]
    double compressibility = 0.0;          ///< of brine and pores [1/bar]
    int iterations = 0;                    ///< of the linear solver, over all time steps
};

/// Implicit Euler over the times of the snapshots, as single_phase_flow() has it. The sum of pore volume x
/// compressibility x build-up is the injected volume to rounding. Expects a case that BoxCase::check() has passed;
/// throws NotConverged with `name` in front.
BoxFlow single_phase_box(const BoxCase& box, int substeps, const std::string& name = "the case");

}  // namespace plumecast
