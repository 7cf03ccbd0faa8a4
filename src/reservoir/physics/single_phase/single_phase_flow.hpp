#pragma once

#include <functional>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

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

/// Bounds of physics_time_over_arrival.
inline constexpr double least_time_over_arrival = 1e-3;
inline constexpr double most_time_over_arrival = 1e3;

/// Told of each time step: when it ends [day], and the build-up [bar] then.
using StepObserver = std::function<void(double time, const ColumnVector& pressure)>;

/// single_phase_flow() with a relative error of `tolerance` in each step, and with every step told.
SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name, double tolerance,
                                  const StepObserver& observer);

/// Cotangents of the members of SinglePhaseFlow: the derivatives of a sum by them.
struct FlowCotangents {
    RadialConnections connections;
    std::vector<double> pressure_buildup;  ///< [T, Z, R]
    std::vector<double> well_buildup;      ///< [T]
    double volume_rate = 0.0;
    double viscosity = 0.0;
    double compressibility = 0.0;

    FlowCotangents() = default;
    /// As many as the flow has values, all 0.
    explicit FlowCotangents(const SinglePhaseFlow& flow);
};

/// Adjoint of arrival_times(): from the cotangents `by_arrival` of the arrival times [Z, R] that it found to those of
/// the flow, which are added to `cotangents`.
void add_arrival_cotangents(const RadialCase& radial, const SinglePhaseFlow& flow, const std::vector<double>& arrival,
                            const std::vector<double>& by_arrival, FlowCotangents& cotangents);

}  // namespace plumecast
