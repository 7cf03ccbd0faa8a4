#include "reservoir/physics/connections/connection_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Steps once nothing is injected, none longer than equation (10) in docs/physics.md allows: the surface of gas under a
/// seal levels out within days or months, which a longer step, that solves pressure before transport, overshoots.
class RestingSteps {
   public:
    explicit RestingSteps(int substeps) : aim_(flow_change_of_one_substep / (substeps * substeps)) {}

    /// Goes through a planned step with rates of 0.
    void advance(HalvedSteps& steps, const FlowSimulation& simulation, double from, double end,
                 const std::vector<double>& rates) {
        const double shortest = (end - from) / most_parts;
        while (from < end) {
            const double left = end - from;
            const double days = left / std::max(1.0, std::ceil(left / std::max(longest_, shortest)));
            steps.advance(from, days, rates);
            longest_ = simulation.step_days() * growth(simulation.flow_change());
            from = days < left ? from + days : end;
        }
    }

   private:
    double growth(double flow_change) const {
        constexpr double least = 0.25, most = 2.0, margin = 0.9;
        return flow_change > 0.0 ? std::clamp(margin * std::sqrt(aim_ / flow_change), least, most) : most;
    }
    static constexpr double flow_change_of_one_substep = 0.32;
    static constexpr double most_parts = 64.0;  // of a planned step

    double aim_;
    double longest_ = std::numeric_limits<double>::infinity();  // [day]
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

/// The day after which nothing is injected.
double end_of(const InjectionSchedule& injection) {
    for (std::size_t period = std::min(injection.ends.size(), injection.rates.size()); period-- > 0;) {
        if (injection.rates[period] > 0.0) {
            return injection.ends[period];
        }
    }
    return 0.0;
}

}  // namespace

FlowRun run(
    const FlowModel& model, const std::vector<double>& times, const two_phase::StepCount& count,
    const std::string& name,
    const std::function<void(const FlowSimulation& simulation, std::size_t snapshot, double share)>& at_snapshot,
    const FlowIterations& iterations) {
    model.check(name);
    FlowSimulation simulation(model, iterations);
    HalvedSteps steps(simulation, name);
    const InjectionSchedule injection = model.injection();
    const double last_injection = end_of(injection);
    RestingSteps resting(count.substeps);
    const auto advance = [&](double from, const two_phase::PlannedStep& step) {
        const std::vector<double> rates = mass_rates(model, step.end);
        if (from >= last_injection) {
            resting.advance(steps, simulation, from, step.end, rates);
        } else {
            steps.advance(from, step.end - from, rates);
        }
    };
    two_phase::go_through(injection, times, count, advance,
                          [&](std::size_t snapshot, double share) { at_snapshot(simulation, snapshot, share); });
    steps.done.pressure_iterations = simulation.pressure_iterations();
    return steps.done;
}

}  // namespace plumecast::connections
