#include "reservoir/physics/two_phase/adaptive_steps.hpp"

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"

namespace plumecast::two_phase {
namespace {

constexpr int most_halvings = 12;
constexpr int halvings_to_defer = 3;
constexpr int times_with_limit = 3;  // as many steps where what is injected depends on the pressure
constexpr int most_tried = 10'000;   // time steps of a case beyond those asked for; ordinary cases take a few

}  // namespace

void AdaptiveSteps::advance(double from, const PlannedStep& step) {
    simulation_.inject(step.rate * kilograms_per_megatonne / days_per_year);
    ++asked_;
    halve(from, step.end - from, 0);
}

void AdaptiveSteps::halve(double from, double days, int halvings) {
    if (halvings > most_halvings || ++tried_ > most_tried + asked_) {
        throw NotConverged(
            fmt::format("{}: two-phase flow did not converge after day {:.6g} with steps of {:.3g} days in {} "
                        "attempts (pressure or permeability is beyond what the reduced physics can take); inject "
                        "less, or simulate the case",
                        name_, from, days, tried_));
    }
    TakenStep step;
    TakenStep* told = steps_ != nullptr ? &step : nullptr;
    if (simulation_.advance(days, Volumes::release, told) ||
        (halvings >= halvings_to_defer && simulation_.advance(days, Volumes::defer, told))) {
        ++taken_;
        if (steps_ != nullptr) {
            step.halvings = halvings;
            step.end = from + days;
            steps_->push_back(std::move(step));
        }
        return;
    }
    halve(from, 0.5 * days, halvings + 1);
    halve(from + 0.5 * days, 0.5 * days, halvings + 1);
}

StepCount step_count(const RadialCase& radial, int substeps) {
    return {.substeps = radial.has_pressure_limit() ? times_with_limit * substeps : substeps,
            .times_at_end = 2,
            .longest_at_rest = 2.0 * days_per_year};
}

int run(Simulation& simulation, const RadialCase& radial, const StepCount& count, const std::string& name,
        const std::function<void(std::size_t snapshot, double share)>& at_snapshot, std::vector<TakenStep>* taken) {
    AdaptiveSteps steps(simulation, name, taken);
    go_through(
        radial.injection(), radial.times, count,
        [&](double from, const PlannedStep& step) { steps.advance(from, step); }, at_snapshot);
    return steps.taken();
}

}  // namespace plumecast::two_phase
