#include <plumecast/physics/reduced_physics.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/physics/brine.hpp>
#include <plumecast/physics/co2_density.hpp>
#include <plumecast/physics/co2_viscosity.hpp>
#include <plumecast/physics/two_phase.hpp>

namespace plumecast {
namespace {

constexpr double days_per_year = 365.25;

/// Pore volume of a ring of one column over the whole height [m3].
double column_pore_volume(const RadialCase& c, std::size_t r) {
    double volume = 0.0;
    const double area = std::numbers::pi * (c.r_edges[r + 1] * c.r_edges[r + 1] - c.r_edges[r] * c.r_edges[r]);
    for (std::size_t z = 0; z < c.rows(); ++z) {
        const std::size_t cell = z * c.columns() + r;
        volume += c.active[cell] != 0 ? c.porosity[cell] * area * (c.z_edges[z + 1] - c.z_edges[z]) : 0.0;
    }
    return volume;
}

}  // namespace

std::string_view name_of(PhysicsKind kind) { return kind == PhysicsKind::single_phase ? "single_phase" : "two_phase"; }

std::vector<std::string> physics_field_names(PhysicsKind kind) {
    if (kind == PhysicsKind::two_phase) {
        return {"physics_pressure_buildup", "physics_gas_saturation", "physics_dissolved_co2"};
    }
    return {"physics_pressure_buildup", "physics_time_over_arrival", "physics_injected_over_pore_volume",
            "physics_front_height"};
}

std::vector<std::string> physics_scalar_names() {
    return {"physics_buildup_rms", "physics_viscosity_ratio", "physics_co2_density"};
}

namespace {

/// A stand-in for the flow of one phase: smooth fields of plausible size.
void single_phase(const RadialCase& radial, double density, PhysicsFields& result) {
    const std::size_t cells = radial.cells(), size = radial.times.size() * cells;
    for (const std::string& name : physics_field_names(PhysicsKind::single_phase)) {
        result.fields[name].assign(size, 0.0F);
    }
    for (std::size_t t = 0; t < radial.times.size(); ++t) {
        const double volume = radial.injection_rate * 1e9 / days_per_year * radial.times[t] / density;
        double within = 0.0;
        for (std::size_t r = 0; r < radial.columns(); ++r) {
            within += column_pore_volume(radial, r);
            const double share = std::max(volume / std::max(within, 1e-9), 1e-9);
            for (std::size_t z = 0; z < radial.rows(); ++z) {
                const std::size_t cell = z * radial.columns() + r, at = t * cells + cell;
                if (radial.active[cell] == 0) {
                    continue;
                }
                const double below = (static_cast<double>(z) + 0.5) / static_cast<double>(radial.rows());
                const auto put = [&](const char* name, double value) {
                    result.fields.find(name)->second[at] = static_cast<float>(value);
                };
                put("physics_pressure_buildup", 5.0 * radial.injection_rate * std::log1p(share));
                put("physics_time_over_arrival", share);
                put("physics_injected_over_pore_volume", share);
                put("physics_front_height", std::clamp(share - below, 0.0, 1.0));
            }
        }
    }
}

double rms_of_active(const RadialCase& radial, const std::vector<float>& values) {
    double squares = 0.0, count = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = radial.active[i % radial.cells()] != 0 ? 1.0 : 0.0;
        squares += weight * static_cast<double>(values[i]) * static_cast<double>(values[i]);
        count += weight;
    }
    return std::sqrt(squares / std::max(count, 1.0));
}

}  // namespace

PhysicsFields reduced_physics(const RadialCase& radial, const PhysicsSettings& settings, const std::string& name) {
    PhysicsFields result;
    const double density = co2_density(radial.initial_pressure, radial.temperature);
    if (settings.kind == PhysicsKind::two_phase) {
        TwoPhaseFields fields = two_phase_fields(radial, settings.substeps, name);
        result.fields["physics_pressure_buildup"] = std::move(fields.pressure_buildup);
        result.fields["physics_gas_saturation"] = std::move(fields.gas_saturation);
        result.fields["physics_dissolved_co2"] = std::move(fields.dissolved_co2);
    } else {
        single_phase(radial, density, result);
    }
    const double ratio = water_viscosity(radial.temperature) / co2_viscosity(density, radial.temperature);
    result.scalars = {{"physics_buildup_rms", rms_of_active(radial, result.fields["physics_pressure_buildup"])},
                      {"physics_viscosity_ratio", ratio},
                      {"physics_co2_density", density}};
    return result;
}

}  // namespace plumecast
