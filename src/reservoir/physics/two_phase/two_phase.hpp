#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Fields of the two-phase physics at the snapshots, [T, Z, R], 0 in inactive cells.
struct TwoPhaseFields {
    std::vector<float> pressure_buildup;  ///< [bar]
    std::vector<float> gas_saturation;
    std::vector<float> dissolved_co2;           ///< [kg per m3 of pore volume]
    std::vector<float> trapped_gas_saturation;  ///< with hysteresis, else empty
    /// CO2 in place over CO2 injected, less 1, at the worst snapshot; without injection the CO2 in place [kg].
    double mass_error = 0.0;
    /// Largest relative change of the brine in place.
    double brine_error = 0.0;
    int steps = 0;                            ///< time steps taken
    std::vector<float> injected_mass;         ///< [T] [Mt]
    std::vector<float> bottom_hole_pressure;  ///< [T] at the centre of the uppermost perforated cell [bar]; NaN at rest
};

/// Injection of CO2 into brine (docs/physics.md): mass balances of CO2 and volume, sequentially implicit, `substeps`
/// time steps as PhysicsSettings has them, and more after a change of the rate and where one does not converge. `name`
/// begins every message. Throws InvalidInput for a case that RadialCase::check() refuses, NotConverged where the
/// smallest time step does not converge or 10,000 more than those do not suffice.
TwoPhaseFields two_phase_fields(const RadialCase& radial, int substeps, const std::string& name);

}  // namespace plumecast
