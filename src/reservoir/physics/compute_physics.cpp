#include "reservoir/physics/compute_physics.hpp"

#include <limits>
#include <utility>

#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

/// A case whose times begin with the start of injection, when nothing has changed yet: every field is 0 there.
PhysicsFields from_the_start(RadialCase radial, const PhysicsSettings& settings, const std::string& name) {
    radial.times.erase(radial.times.begin());
    PhysicsFields physics = reduced_physics(radial, settings, name);
    for (auto& [field, values] : physics.fields) {
        values.insert(values.begin(), values.size() / radial.times.size(), 0.0F);
    }
    if (!physics.injected_mass.empty()) {
        physics.injected_mass.insert(physics.injected_mass.begin(), 0.0F);
    }
    if (!physics.bottom_hole_pressure.empty()) {
        physics.bottom_hole_pressure.insert(physics.bottom_hole_pressure.begin(),
                                            std::numeric_limits<float>::quiet_NaN());
    }
    return physics;
}

}  // namespace

PhysicsFields reduced_physics(const RadialCase& radial, const PhysicsSettings& settings, const std::string& name) {
    if (radial.times.size() > 1 && radial.times.front() == 0.0) {
        return from_the_start(radial, settings, name);
    }
    require_known_physics(settings.version, name + ": physics.version");
    TwoPhaseFields fields = two_phase_fields(radial, settings.substeps, name);
    PhysicsFields result;
    result.scalars = physics_scalars(injection_fluids(radial), radial.active, fields.pressure_buildup);
    result.fields["physics_pressure_buildup"] = std::move(fields.pressure_buildup);
    result.fields["physics_gas_saturation"] = std::move(fields.gas_saturation);
    result.fields["physics_dissolved_co2"] = std::move(fields.dissolved_co2);
    if (radial.has_hysteresis()) {
        result.fields.emplace(trapped_gas_field, std::move(fields.trapped_gas_saturation));
    }
    result.bottom_hole_pressure = std::move(fields.bottom_hole_pressure);
    if (radial.has_pressure_limit()) {
        result.injected_mass = std::move(fields.injected_mass);
    }
    return result;
}

}  // namespace plumecast
