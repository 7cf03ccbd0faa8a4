#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {

/// Fluids at the depth of a perforation, before injection.
struct InjectionFluids {
    double pressure = 0.0;         ///< hydrostatic [bar]
    double co2_density = 0.0;      ///< [kg/m3]
    double co2_viscosity = 0.0;    ///< [cP]
    double brine_viscosity = 0.0;  ///< [cP]
    double volume_rate = 0.0;      ///< injected volume of CO2 [m3/day]

    double viscosity_ratio() const { return brine_viscosity / co2_viscosity; }
};

/// Fluids at a pressure [bar] and a temperature [degC], injected at a rate [Mt/year].
InjectionFluids injection_fluids(double pressure, double temperature, double rate);

/// Expects a case that RadialCase::check() has passed.
InjectionFluids injection_fluids(const RadialCase& radial);

/// The scalars of PhysicsFields for a pressure build-up [T, Z, R] [bar] that is 0 in inactive cells.
std::map<std::string, double, std::less<>> physics_scalars(const RadialCase& radial,
                                                           const std::vector<float>& pressure_buildup);

/// Slightly compressible flow of brine that takes up the volume of the injected CO2.
struct SinglePhaseFlow {
    RadialConnections connections;
    std::vector<double> pressure_buildup;  ///< [T, Z, R] [bar], 0 in inactive cells
    std::vector<double> well_buildup;      ///< [T] [bar]
    double volume_rate = 0.0;              ///< injected [m3/day]
    double viscosity = 0.0;                ///< [cP]
    double compressibility = 0.0;          ///< of brine and pores [1/bar]
    int iterations = 0;                    ///< of the linear solver, over all time steps
};

/// Implicit Euler over the times of the snapshots, each interval in `substeps` steps that grow with time; closed at
/// top, bottom and the outer edge. The sum of pore volume x compressibility x build-up is the injected volume to
/// rounding. Expects a case that RadialCase::check() has passed; throws NotConverged with `name` in front.
SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name = "the case");

/// Days after which injected volume reaches a cell [Z, R], in the flow at the last time: that of the cells upstream by
/// their share of the inflow, and the time to fill the cell. At most 1e9; 0 in inactive cells.
std::vector<double> arrival_times(const RadialCase& radial, const SinglePhaseFlow& flow);

/// Fields and scalars of PhysicsKind::single_phase.
PhysicsFields single_phase(const RadialCase& radial, int substeps, const std::string& name = "the case");

}  // namespace plumecast
