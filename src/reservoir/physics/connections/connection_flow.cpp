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

/// How long a step may be once nothing is injected, equation (25) in docs/physics.md: gas under a seal evens out faster
/// than a long step solves pressure and transport one after the other.
class RestingSteps {
   public:
    explicit RestingSteps(int substeps) : aim_(flow_change_of_one_substep / (substeps * substeps)) {}

    double days_of(double planned) const { return planned / std::max(1.0, std::ceil(planned / longest_)); }
    void learn(double days, double flow_change) {
        constexpr double most_shorter = 0.25, most_longer = 2.0, margin = 0.9;
        const double by_change = flow_change > 0.0 ? margin * std::sqrt(aim_ / flow_change) : most_longer;
        longest_ = days * std::clamp(by_change, most_shorter, most_longer);
    }

   private:
    static constexpr double flow_change_of_one_substep = 0.32;

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

FlowRun run(const FlowModel& model, const std::vector<double>& times, int substeps, const std::string& name,
            const std::function<void(const FlowSimulation& simulation, std::size_t snapshot)>& at_snapshot,
            const FlowIterations& iterations) {
    model.check(name);
    FlowSimulation simulation(model, iterations);
    HalvedSteps steps(simulation, name);
    const InjectionSchedule injection = model.injection();
    const double last_injection = end_of(injection);
    RestingSteps resting(substeps);
    double now = 0.0;
    for (std::size_t snapshot = 0; snapshot < times.size(); ++snapshot) {
        for (const auto& step : two_phase::planned_steps(injection, now, times[snapshot], substeps)) {
            const std::vector<double> rates = mass_rates(model, step.end);
            while (now < step.end) {
                const bool is_over = now >= last_injection;
                const double planned = step.end - now, days = is_over ? resting.days_of(planned) : planned;
                steps.advance(now, days, rates);
                if (is_over) {
                    resting.learn(days, simulation.flow_change());
                }
                now = days < planned ? now + days : step.end;
            }
        }
        at_snapshot(simulation, snapshot);
    }
    steps.done.pressure_iterations = simulation.pressure_iterations();
    return steps.done;
}

}  // namespace plumecast::connections
