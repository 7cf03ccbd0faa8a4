#include <plumecast/reservoir/physics/physics_errors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/brine.hpp>
#include <plumecast/reservoir/physics/cylinder.hpp>
#include <plumecast/reservoir/physics/single_phase/single_phase.hpp>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast {
namespace {

const std::vector<float>* field_in(const PhysicsFields& physics, std::string_view name) {
    const auto found = physics.fields.find(name);
    return found == physics.fields.end() ? nullptr : &found->second;
}

double change_in_plume(const RadialCase& radial, const std::vector<float>& from, const std::vector<float>& to) {
    constexpr float plume = 0.01F;
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (radial.active[i % radial.cells()] != 0 && std::max(from[i], to[i]) > plume) {
            sum += std::abs(static_cast<double>(from[i]) - static_cast<double>(to[i]));
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

double change_of_buildup(const RadialCase& radial, const std::vector<float>& from, const std::vector<float>& to) {
    double total = 0.0;
    for (std::size_t begin = 0; begin < from.size(); begin += radial.cells()) {
        double sum = 0.0, count = 0.0, largest = 0.0;
        for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
            if (radial.active[cell] != 0) {
                const auto value = static_cast<double>(from[begin + cell]);
                sum += std::abs(value - static_cast<double>(to[begin + cell]));
                largest = std::max(largest, std::abs(value));
                count += 1.0;
            }
        }
        total += largest > 0.0 ? sum / (count * largest) : 0.0;
    }
    return total / static_cast<double>(radial.times.size());
}

/// In all at the last time, in volumes of the cylinder over pi.
double dissolved_at_end(const RadialCase& radial, const std::vector<float>& dissolved) {
    const std::size_t begin = dissolved.size() - radial.cells();
    double sum = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
        const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
        const double height = radial.z_edges[row + 1] - radial.z_edges[row];
        sum += radial.active[cell] == 0 ? 0.0
                                        : (outer * outer - inner * inner) * height * radial.porosity[cell] *
                                              static_cast<double>(dissolved[begin + cell]);
    }
    return sum;
}

}  // namespace

FieldChanges changes_between(const RadialCase& radial, const PhysicsFields& from, const PhysicsFields& to) {
    FieldChanges changes;
    const auto both = [&](std::string_view name, auto measure) {
        const auto *a = field_in(from, name), *b = field_in(to, name);
        return a != nullptr && b != nullptr ? measure(*a, *b) : 0.0;
    };
    changes.gas_saturation =
        both("physics_gas_saturation", [&](const auto& a, const auto& b) { return change_in_plume(radial, a, b); });
    changes.pressure_buildup =
        both("physics_pressure_buildup", [&](const auto& a, const auto& b) { return change_of_buildup(radial, a, b); });
    changes.dissolved_co2 = both("physics_dissolved_co2", [&](const auto& a, const auto& b) {
        const double there = dissolved_at_end(radial, a);
        return there > 0.0 ? std::abs(dissolved_at_end(radial, b) / there - 1.0) : 0.0;
    });
    return changes;
}

namespace {

/// Weight of the column of CO2 in the perforated interval against brine, and the pressure that a rate of injection
/// needs per interval of the natural logarithm of the radius in brine [bar].
struct WellPressures {
    double weight = 0.0, drive = 0.0;
};

WellPressures well_pressures(const RadialCase& radial) {
    const InjectionFluids fluids = injection_fluids(radial);
    double transmissivity = 0.0, top = 0.0, bottom = 0.0;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        if (radial.active[cell] != 0 && radial.perforation[cell] > 0.0) {
            const double height = radial.z_edges[row + 1] - radial.z_edges[row];
            top = bottom > 0.0 ? top : radial.z_edges[row];
            bottom = radial.z_edges[row + 1];
            transmissivity += radial.permeability_r[cell] * height * radial.perforation[cell];
        }
    }
    return {(water_density(radial.initial_pressure, radial.temperature) - fluids.co2_density) * two_phase::gravity *
                (bottom - top),
            fluids.volume_rate * fluids.brine_viscosity /
                (2.0 * std::numbers::pi * cylinder::darcy * std::max(transmissivity, 1e-12))};
}

/// Largest build-up [bar] of the time in the middle.
double usual_largest_buildup(const RadialCase& radial, const std::vector<float>& buildup) {
    std::vector<double> largest;
    for (auto from = buildup.begin(); from != buildup.end(); from += static_cast<std::ptrdiff_t>(radial.cells())) {
        largest.push_back(
            static_cast<double>(*std::max_element(from, from + static_cast<std::ptrdiff_t>(radial.cells()))));
    }
    std::ranges::nth_element(largest, largest.begin() + std::ssize(largest) / 2);
    return largest[largest.size() / 2];
}

}  // namespace

PhysicsErrors physics_errors(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                             const FieldChanges& changes) {
    PhysicsErrors errors;
    if (settings.kind == PhysicsKind::single_phase || radial.injection_rate == 0.0) {
        return errors;
    }
    const WellPressures well = well_pressures(radial);
    errors.step_change = changes.gas_saturation;
    errors.well_gravity = well.weight / well.drive;
    // Fitted to changes from two steps to one. Errors by gravity in the well are no smaller with more steps, those of
    // the steps are.
    constexpr double strong_gravity = 5.0, least = 1e-3;
    const double steps = settings.substeps == 1                 ? 2.0
                         : errors.well_gravity > strong_gravity ? 0.5 * settings.substeps
                                                                : 1.0;
    const double change = std::max(steps * errors.step_change, least);
    const double buildup =
        std::max(usual_largest_buildup(radial, *field_in(fields, "physics_pressure_buildup")), least);
    errors.gas_saturation = 107.8 * std::pow(change, 0.944) * std::pow(std::max(errors.well_gravity, least), 0.225);
    errors.pressure_buildup = 37.2 * std::pow(change, 0.621) * std::pow(std::max(well.weight / buildup, least), 0.176);
    return errors;
}

std::string reason_of(const PhysicsErrors& errors) {
    const std::string steps = fmt::format("other time steps change the gas saturation by {:.2g}", errors.step_change);
    constexpr double told_from = 5.0;
    return errors.well_gravity < told_from
               ? steps + "; more of them may help"
               : fmt::format(
                     "{}, and in the open interval CO2 is lighter than brine by {:.2g} times what drives it out", steps,
                     errors.well_gravity);
}

PhysicsSettings other_steps(const PhysicsSettings& settings) {
    PhysicsSettings other = settings;
    other.substeps = settings.substeps > 1 ? settings.substeps / 2 : 2;
    return other;
}

FieldChanges step_changes(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                          const std::string& name) {
    try {
        return changes_between(radial, fields, reduced_physics(radial, other_steps(settings), name));
    } catch (const NotConverged&) {
        constexpr double unbounded = std::numeric_limits<double>::infinity();
        return {unbounded, unbounded, unbounded};
    }
}

}  // namespace plumecast
