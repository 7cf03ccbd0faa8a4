#include "reservoir/physics/connections/connection_flow.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/two_phase/planned_steps.hpp"

namespace plumecast::connections {
namespace {

constexpr int most_halvings = 12;
constexpr int most_retaken = 2'000;  // attempts of a case that fail

/// Advances a simulation over steps; one that fails is halved.
class HalvedSteps {
   public:
    HalvedSteps(FlowSimulation& simulation, const std::string& name) : simulation_(simulation), name_(name) {}

    /// `mass_rates` of the wells in kg/day. Throws NotConverged.
    void advance(double from, double days, const std::vector<double>& mass_rates, int halvings = 0) {
        if (simulation_.advance(days, mass_rates)) {
            ++done.steps;
            const double injected = simulation_.co2_injected(), found = simulation_.co2_in_place();
            done.mass_error = std::max(done.mass_error, injected > 0.0 ? std::abs(found / injected - 1.0) : found);
            return;
        }
        if (halvings == most_halvings || ++done.retaken > most_retaken) {
            throw NotConverged(fmt::format(
                "{}: two-phase flow did not converge after day {:.6g} with steps of {:.3g} days, {} attempts "
                "of the case having failed (pressure or permeability is beyond what the reduced physics can "
                "take); inject less, or simulate the case",
                name_, from, days, done.retaken));
        }
        advance(from, 0.5 * days, mass_rates, halvings + 1);
        advance(from + 0.5 * days, 0.5 * days, mass_rates, halvings + 1);
    }

    FlowRun done;

   private:
    FlowSimulation& simulation_;
    const std::string& name_;
};

/// Rates of the wells [kg/day] in a step, which ends no later than its period; 0 after the last.
std::vector<double> mass_rates(const FlowModel& model, double step_end) {
    const auto period = two_phase::period_at(model.period_ends, step_end);
    std::vector<double> rates;
    for (const Well& well : model.wells) {
        const double rate = period < well.rates.size() ? well.rates[period] : 0.0;
        rates.push_back(rate * kilograms_per_megatonne / days_per_year);
    }
    return rates;
}

}  // namespace

FlowRun run(const FlowModel& model, const std::vector<double>& times, int substeps, const std::string& name,
            const std::function<void(const FlowSimulation& simulation, std::size_t snapshot)>& at_snapshot,
            const FlowIterations& iterations) {
    model.check(name);
    FlowSimulation simulation(model, iterations);
    HalvedSteps steps(simulation, name);
    const InjectionSchedule injection = model.injection();
    double now = 0.0;
    for (std::size_t snapshot = 0; snapshot < times.size(); ++snapshot) {
        for (const auto& step : two_phase::planned_steps(injection, now, times[snapshot], substeps)) {
            steps.advance(now, step.end - now, mass_rates(model, step.end));
            now = step.end;
        }
        at_snapshot(simulation, snapshot);
    }
    steps.done.pressure_iterations = simulation.pressure_iterations();
    return steps.done;
}

}  // namespace plumecast::connections
