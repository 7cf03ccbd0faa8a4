#include "reservoir/physics/physics_cotangents.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/connection_cotangents.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {

void check_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents, const std::string& name) {
    std::vector<std::string> fields = physics_field_names();
    if (radial.has_hysteresis()) {
        fields.emplace_back(trapped_gas_field);
    }
    const std::size_t values = radial.times.size() * radial.cells();
    for (const auto& [field, given] : cotangents.fields) {
        if (std::ranges::find(fields, field) == fields.end() || given.size() != values) {
            throw InvalidInput(
                name + ": " + std::to_string(given.size()) + " cotangents of " + field +
                " (the physics has other fields, or the case other extents); give one cotangent for each "
                "time and cell of its fields");
        }
    }
    const std::vector<std::string> scalars = physics_scalar_names();
    for (const auto& [scalar, cotangent] : cotangents.scalars) {
        if (std::ranges::find(scalars, scalar) == scalars.end()) {
            throw InvalidInput(name + ": a cotangent of " + scalar + " (it is no scalar of the physics); leave it out");
        }
    }
    const std::vector<std::string> known = physics_series_names();
    for (const auto& [series, given] : cotangents.series) {
        if (std::ranges::find(known, series) == known.end() || given.size() != radial.times.size()) {
            throw InvalidInput(
                name + ": " + std::to_string(given.size()) + " cotangents of " + series +
                " (the physics has other series, or the case other times); give one cotangent for each time "
                "of its series");
        }
    }
}

const std::vector<double>* cotangents_of(const PhysicsCotangents& cotangents, std::string_view field) {
    const auto found = cotangents.fields.find(field);
    return found == cotangents.fields.end() ? nullptr : &found->second;
}

std::span<const double> series_cotangents(const PhysicsCotangents& cotangents, std::string_view series) {
    const auto found = cotangents.series.find(series);
    return found == cotangents.series.end() ? std::span<const double>() : std::span(found->second);
}

double scalar_cotangent(const PhysicsCotangents& cotangents, std::string_view scalar) {
    const auto found = cotangents.scalars.find(scalar);
    return found == cotangents.scalars.end() ? 0.0 : found->second;
}

std::vector<double> buildup_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents,
                                       const std::vector<double>& buildup) {
    double squares = 0.0;
    for (const double value : buildup) {
        squares += value * value;
    }
    const auto active = static_cast<double>(std::ranges::count_if(radial.active, [](char cell) { return cell != 0; }));
    const double count = active * static_cast<double>(radial.times.size());
    const double rms = std::sqrt(squares / count);
    const double per_pressure = rms > 0.0 ? scalar_cotangent(cotangents, "physics_buildup_rms") / (count * rms) : 0.0;
    const std::vector<double>* field = cotangents_of(cotangents, "physics_pressure_buildup");
    std::vector<double> result(buildup.size());
    for (std::size_t i = 0; i < buildup.size(); ++i) {
        const bool is_active = radial.active[i % radial.cells()] != 0;
        result[i] = per_pressure * buildup[i] + (field != nullptr && is_active ? (*field)[i] : 0.0);
    }
    return result;
}

RadialCaseGradient zero_gradient(const RadialCase& radial) {
    RadialCaseGradient gradient;
    for (std::vector<double>* map :
         {&gradient.permeability_r, &gradient.permeability_z, &gradient.porosity, &gradient.perforation}) {
        map->resize(radial.cells());
    }
    return gradient;
}

void add_injection_fluid_cotangents(const RadialCase& radial, const PhysicsCotangents& cotangents,
                                    RadialCaseGradient& gradient) {
    const InjectionFluids fluids = injection_fluids(radial);
    const double temperature = radial.temperature;
    const double by_ratio = scalar_cotangent(cotangents, "physics_viscosity_ratio");
    const double by_co2_viscosity = -by_ratio * fluids.viscosity_ratio() / fluids.co2_viscosity;
    const Co2ViscositySlopes co2_viscosity = co2_viscosity_slopes(fluids.co2_density, temperature);
    const double by_co2_density =
        scalar_cotangent(cotangents, "physics_co2_density") + by_co2_viscosity * co2_viscosity.density;
    const FluidSlopes co2_density = co2_density_slopes(fluids.pressure, temperature);
    const HydrostaticSlopes at_depth =
        hydrostatic_pressure_slopes(radial.initial_pressure, temperature, radial.salinity, perforation_depth(radial));
    const BrineViscositySlopes viscosity = brine_viscosity_slopes(temperature, radial.salinity);
    const double by_viscosity = by_ratio / fluids.co2_viscosity;
    const double by_pressure = by_co2_density * co2_density.pressure;
    gradient.initial_pressure += by_pressure * at_depth.pressure;
    gradient.temperature += by_pressure * at_depth.temperature + by_co2_density * co2_density.temperature +
                            by_co2_viscosity * co2_viscosity.temperature + by_viscosity * viscosity.temperature;
    gradient.salinity += by_pressure * at_depth.salinity + by_viscosity * viscosity.salinity;
    add_depth_cotangent(radial, by_pressure * at_depth.below, gradient);
}

}  // namespace plumecast
