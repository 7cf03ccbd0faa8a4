#include <plumecast/reservoir/physics/two_phase/two_phase.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/units.hpp>

#include "reservoir/physics/time_steps.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast {
namespace {

using two_phase::Simulation;

constexpr int most_halvings = 12;
constexpr int halvings_to_forget = 3;
constexpr int most_tried = 10'000;  // time steps of a case; ordinary cases take the steps asked for and a few more

/// Advances over intervals, in halves of halves where that takes it.
class TimeSteps {
   public:
    TimeSteps(Simulation& simulation, const std::string& name) : simulation_(simulation), name_(name) {}

    void advance(double from, double to) { advance(from, to - from, 0); }
    int taken() const { return taken_; }

   private:
    void advance(double from, double days, int halvings) {
        if (halvings > most_halvings || ++tried_ > most_tried) {
            throw NotConverged(
                fmt::format("{}: two-phase flow did not converge after day {:.6g} with steps of {:.3g} days in {} "
                            "attempts (pressure or permeability is beyond what the reduced physics can take); inject "
                            "less, use the single phase, or simulate the case",
                            name_, from, days, tried_));
        }
        const bool is_short = halvings >= halvings_to_forget;
        if (simulation_.advance(days) || (is_short && simulation_.advance(days, two_phase::Volumes::forget))) {
            ++taken_;
            return;
        }
        advance(from, 0.5 * days, halvings + 1);
        advance(from + 0.5 * days, 0.5 * days, halvings + 1);
    }

    Simulation& simulation_;
    const std::string& name_;
    int taken_ = 0, tried_ = 0;
};

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
                         two_phase::Acceptance acceptance) {
    Simulation simulation(radial, acceptance);
    TimeSteps steps(simulation, name);
    TwoPhaseFields result;
    const std::size_t values = radial.times.size() * radial.cells();
    for (auto* field : {&result.pressure_buildup, &result.gas_saturation, &result.dissolved_co2}) {
        field->assign(values, 0.0F);
    }
    double now = 0.0;
    for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
        for (const double end : step_ends(now, radial.times[snapshot], substeps)) {
            steps.advance(now, end);
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
    result.steps = steps.taken();
    return result;
}

}  // namespace

TwoPhaseFields two_phase_fields(const RadialCase& radial, int substeps, const std::string& name) {
    radial.check(name);
    try {
        return fields_of(radial, substeps, name, two_phase::Acceptance::usual);
    } catch (const NotConverged&) {
        // A step may have been accepted that no other can follow.
        return fields_of(radial, substeps, name, two_phase::Acceptance::strict);
    }
}

}  // namespace plumecast
