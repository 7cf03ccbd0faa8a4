#include "reservoir/physics/two_phase/two_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/two_phase/adaptive_steps.hpp"

namespace plumecast {
namespace {

using two_phase::Simulation;

/// Adds the share that the present state has in a snapshot, [columns, rows] to [Z, R].
template <typename Value>
void add(const RadialCase& radial, const Simulation& simulation, std::size_t snapshot, double share,
         std::vector<float>& field, const Value& value) {
    const auto& reservoir = simulation.reservoir();
    for (std::size_t row = 0; row < reservoir.rows; ++row) {
        float* line = field.data() + (snapshot * radial.rows() + row) * radial.columns();
        for (std::size_t column = 0; column < reservoir.columns; ++column) {
            const std::size_t cell = column * reservoir.rows + row;
            if (reservoir.active[cell]) {
                line[column] += static_cast<float>(share * value(cell));
            }
        }
    }
}

TwoPhaseFields fields_of(const RadialCase& radial, int substeps, const std::string& name,
                         two_phase::Acceptance acceptance) {
    Simulation simulation(radial, acceptance);
    const InjectionSchedule injection = radial.injection();
    TwoPhaseFields result;
    const std::size_t values = radial.times.size() * radial.cells();
    for (auto* field : {&result.pressure_buildup, &result.gas_saturation, &result.dissolved_co2}) {
        field->assign(values, 0.0F);
    }
    const bool has_hysteresis = simulation.curves().has_hysteresis();
    // Where brine holds little, less than nothing is within the tolerance of the iterations.
    const double least = radial.has_dissolution_limit() ? 0.0 : -std::numeric_limits<double>::infinity();
    result.trapped_gas_saturation.assign(has_hysteresis ? values : 0, 0.0F);
    result.injected_mass.assign(radial.times.size(), 0.0F);
    result.bottom_hole_pressure.assign(radial.times.size(), std::numeric_limits<float>::quiet_NaN());
    const double brine = simulation.brine_in_place();
    std::vector<double> injected(radial.times.size()), found(radial.times.size());  // [kg]
    result.steps = two_phase::run(
        simulation, radial, two_phase::step_count(radial, substeps), name, [&](std::size_t snapshot, double share) {
            const auto add_to = [&](std::vector<float>& field, const auto& value) {
                add(radial, simulation, snapshot, share, field, value);
            };
            add_to(result.pressure_buildup, [&](std::size_t cell) { return simulation.state().buildup[cell]; });
            add_to(result.gas_saturation, [&](std::size_t cell) { return simulation.state().saturation[cell]; });
            add_to(result.dissolved_co2, [&](std::size_t cell) { return std::max(least, simulation.dissolved(cell)); });
            if (has_hysteresis) {
                add_to(result.trapped_gas_saturation, [&](std::size_t cell) { return simulation.trapped(cell); });
            }
            float& pressure = result.bottom_hole_pressure[snapshot];
            pressure = simulation.mass_rate() > 0.0
                           ? two_phase::joined_pressure(pressure, simulation.bottom_hole_pressure(), share)
                           : std::numeric_limits<float>::quiet_NaN();
            injected[snapshot] += share * simulation.state().injected;
            found[snapshot] += share * simulation.mass_in_place();
            result.brine_error = std::max(std::abs(simulation.brine_in_place() / brine - 1.0), result.brine_error);
        });
    for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
        const double whole = radial.has_pressure_limit()
                                 ? injected[snapshot]
                                 : injection.injected(radial.times[snapshot]) * kilograms_per_megatonne;
        result.injected_mass[snapshot] = static_cast<float>(whole / kilograms_per_megatonne);
        result.mass_error =
            std::max(result.mass_error, whole > 0.0 ? std::abs(found[snapshot] / whole - 1.0) : found[snapshot]);
    }
    return result;
}

}  // namespace

TwoPhaseFields two_phase_fields(const RadialCase& radial, int substeps, const std::string& name) {
    radial.check(name);
    try {
        return fields_of(radial, substeps, name, two_phase::Acceptance::usual);
    } catch (const NotConverged&) {
        // The last accepted step may be one that no further step can follow.
        return fields_of(radial, substeps, name, two_phase::Acceptance::strict);
    }
}

}  // namespace plumecast
