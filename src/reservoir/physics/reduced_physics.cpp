#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {

void require_known_physics(int version, const std::string& entry) {
    if (version != physics_version) {
        throw InvalidInput(fmt::format(
            "{} is {} (this program has version {} of the reduced physics, whose fields "
            "differ); {}",
            entry, version, physics_version,
            version < physics_version ? "leave it out of a recipe, train a model anew, or use an earlier Plumecast"
                                      : "use a later Plumecast"));
    }
}

std::vector<std::string> physics_field_names() {
    return {"physics_pressure_buildup", "physics_gas_saturation", "physics_dissolved_co2"};
}

std::vector<std::string> physics_scalar_names() {
    return {"physics_buildup_rms", "physics_viscosity_ratio", "physics_co2_density"};
}

std::vector<std::string> physics_series_names() {
    return {"bottom_hole_pressure", "mass_injected", "mass_free", "mass_trapped", "mass_dissolved"};
}

}  // namespace plumecast
