#include <plumecast/physics/two_phase.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "physics/time_steps.hpp"
#include "physics/two_phase/simulation.hpp"

namespace plumecast {
namespace {

using two_phase::Simulation;

constexpr int most_halvings = 12;
constexpr int halvings_to_forget = 3;
constexpr double kilograms_per_megatonne = 1e9;
constexpr double days_per_year = 365.25;

/// Advances over an interval, in halves of halves where that takes it. Returns the steps taken.
int advance(Simulation& simulation, double days, int halvings, const std::string& name, double from) {
    const bool is_short = halvings >= halvings_to_forget;
    if (simulation.advance(days) || (is_short && simulation.advance(days, two_phase::Volumes::forget))) {
        return 1;
    }
    if (halvings == most_halvings) {
        throw NotConverged(
            fmt::format("{}: two-phase flow did not converge after day {:.6g} with steps of {:.3g} days "
                        "(the case is beyond what the reduced physics can take); use the single phase, "
                        "or simulate the case",
                        name, from, days));
    }
    const int steps = advance(simulation, 0.5 * days, halvings + 1, name, from);
    return steps + advance(simulation, 0.5 * days, halvings + 1, name, from + 0.5 * days);
}

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

}  // namespace

TwoPhaseFields two_phase_fields(const RadialCase& radial, int substeps, const std::string& name) {
    radial.check(name);
    Simulation simulation(radial);
    TwoPhaseFields result;
    const std::size_t values = radial.times.size() * radial.cells();
    for (auto* field : {&result.pressure_buildup, &result.gas_saturation, &result.dissolved_co2}) {
        field->assign(values, 0.0F);
    }
    double now = 0.0;
    for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
        for (const double end : step_ends(now, radial.times[snapshot], substeps)) {
            result.steps += advance(simulation, end - now, 0, name, now);
            now = end;
        }
        store(radial, simulation, snapshot, result.pressure_buildup,
              [&](std::size_t cell) { return simulation.state().buildup[cell]; });
        store(radial, simulation, snapshot, result.gas_saturation,
              [&](std::size_t cell) { return simulation.state().saturation[cell]; });
        store(radial, simulation, snapshot, result.dissolved_co2,
              [&](std::size_t cell) { return simulation.dissolved(cell); });
        const double injected = radial.injection_rate * kilograms_per_megatonne / days_per_year * now;
        const double found = simulation.mass_in_place();
        result.mass_error = std::max(result.mass_error, injected > 0.0 ? std::abs(found / injected - 1.0) : found);
    }
    return result;
}

}  // namespace plumecast
