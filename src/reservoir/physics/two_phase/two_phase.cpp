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

/// The values of one snapshot, [columns, rows] to [Z, R].
template <typename Value>
void store(const RadialCase& radial, const Simulation& simulation, std::size_t snapshot, std::vector<float>& field,
           const Value& value) {
    const auto& reservoir = simulation.reservoir();
    for (std::size_t cell = 0; cell < reservoir.cells(); ++cell) {
        const std::size_t row = cell % reservoir.rows, column = cell / reservoir.rows;
        if (reservoir.active[cell]) {
            field[(snapshot * radial.rows() + row) * radial.columns() + column] = static_cast<float>(value(cell));
        }
    }
}

TwoPhaseFields fields_of(const RadialCase& radial, int substeps, const std::string& name,
                         two_phase::Acceptance acceptance, const two_phase::Formulation& formulation) {
    Simulation simulation(radial, acceptance, two_phase::Iterations::usual, formulation);
    const InjectionSchedule injection = radial.injection();
    TwoPhaseFields result;
    const std::size_t values = radial.times.size() * radial.cells();
    for (auto* field : {&result.pressure_buildup, &result.gas_saturation, &result.dissolved_co2}) {
        field->assign(values, 0.0F);
    }
    const bool has_hysteresis = simulation.curves().has_hysteresis();
    result.trapped_gas_saturation.assign(has_hysteresis ? values : 0, 0.0F);
    result.steps = two_phase::run(simulation, radial, substeps, name, [&](std::size_t snapshot) {
        store(radial, simulation, snapshot, result.pressure_buildup,
              [&](std::size_t cell) { return simulation.state().buildup[cell]; });
        store(radial, simulation, snapshot, result.gas_saturation,
              [&](std::size_t cell) { return simulation.state().saturation[cell]; });
        store(radial, simulation, snapshot, result.dissolved_co2,
              [&](std::size_t cell) { return simulation.dissolved(cell); });
        if (has_hysteresis) {
            store(radial, simulation, snapshot, result.trapped_gas_saturation,
                  [&](std::size_t cell) { return simulation.trapped(cell); });
        }
        const double injected = radial.has_pressure_limit()
                                    ? simulation.state().injected
                                    : injection.injected(radial.times[snapshot]) * kilograms_per_megatonne;
        result.injected_mass.push_back(static_cast<float>(injected / kilograms_per_megatonne));
        result.bottom_hole_pressure.push_back(simulation.mass_rate() > 0.0
                                                  ? static_cast<float>(simulation.bottom_hole_pressure())
                                                  : std::numeric_limits<float>::quiet_NaN());
        const double found = simulation.mass_in_place();
        result.mass_error = std::max(result.mass_error, injected > 0.0 ? std::abs(found / injected - 1.0) : found);
    });
    return result;
}

}  // namespace

TwoPhaseFields two_phase_fields(const RadialCase& radial, int substeps, const std::string& name, int version) {
    const two_phase::Formulation formulation = two_phase::formulation_of(version);
    radial.check(name);
    try {
        return fields_of(radial, substeps, name, two_phase::Acceptance::usual, formulation);
    } catch (const NotConverged&) {
        // The last accepted step may be one that no further step can follow.
        return fields_of(radial, substeps, name, two_phase::Acceptance::strict, formulation);
    }
}

}  // namespace plumecast
