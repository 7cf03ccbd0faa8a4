#include "reservoir/physics/two_phase/adaptive_steps.hpp"

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/time_steps.hpp"

namespace plumecast::two_phase {
namespace {

constexpr int most_halvings = 12;
constexpr int halvings_to_forget = 3;
constexpr int most_tried = 10'000;  // time steps of a case; ordinary cases take the steps asked for and a few more

}  // namespace

void AdaptiveSteps::advance(double from, double days, int halvings) {
    if (halvings > most_halvings || ++tried_ > most_tried) {
        throw NotConverged(
            fmt::format("{}: two-phase flow did not converge after day {:.6g} with steps of {:.3g} days in {} "
                        "attempts (pressure or permeability is beyond what the reduced physics can take); inject "
                        "less, use the single phase, or simulate the case",
                        name_, from, days, tried_));
    }
    const bool is_short = halvings >= halvings_to_forget;
    TakenStep step;
    TakenStep* told = steps_ != nullptr ? &step : nullptr;
    if (simulation_.advance(days, Volumes::keep, told) ||
        (is_short && simulation_.advance(days, Volumes::forget, told))) {
        ++taken_;
        if (steps_ != nullptr) {
            step.halvings = halvings;
            steps_->push_back(std::move(step));
        }
        return;
    }
    advance(from, 0.5 * days, halvings + 1);
    advance(from + 0.5 * days, 0.5 * days, halvings + 1);
}

int run(Simulation& simulation, const RadialCase& radial, int substeps, const std::string& name,
        const std::function<void(std::size_t snapshot)>& at_snapshot, std::vector<TakenStep>* taken) {
    AdaptiveSteps steps(simulation, name, taken);
    double now = 0.0;
    for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
        for (const double end : step_ends(now, radial.times[snapshot], substeps)) {
            steps.advance(now, end);
            now = end;
        }
        at_snapshot(snapshot);
    }
    return steps.taken();
}

}  // namespace plumecast::two_phase
