#include "reservoir/case_physics/step_control.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_physics/expected_errors.hpp"

namespace plumecast {

StepControl::StepControl(const Dataset& dataset, const PhysicsSettings& settings, double tolerance, bool with_errors,
                         const LogSink& log)
    : dataset_(dataset), tolerance_(tolerance), with_errors_(with_errors || tolerance < any_change) {
    PhysicsSettings level = settings;
    const int most = tolerance < any_change ? most_times * settings.substeps : settings.substeps;
    for (; level.substeps <= most; level.substeps *= 2) {
        passes_.emplace_back(dataset, level, settings_.empty() ? log : LogSink());  // what it says is said once
        settings_.push_back(level);
    }
}

ControlledCase StepControl::with_steps_of(std::size_t level, std::int64_t which) {
    ControlledCase result{passes_[level].of(which), {}, settings_[level].substeps};
    result.has_failed = passes_[level].failures().has(which);
    if (with_errors_ && result.computed.physics && !result.has_failed) {
        result.errors = expected_errors(dataset_, which, *result.computed.physics, settings_[level]);
    }
    // One step is compared with two, which have half its error, so that it is twice what changes.
    const double factor = result.substeps == 1 ? 2.0 : 1.0;
    result.change =
        result.has_failed ? any_change : factor * std::max(result.errors.step_change, result.errors.buildup_change);
    return result;
}

ControlledCase StepControl::of(std::int64_t which) {
    std::size_t level = 0;
    ControlledCase best = with_steps_of(level, which);
    for (double change = best.change; change > tolerance_ && level + 1 < passes_.size();) {
        // Errors of the first order halve with the length of the steps.
        level = std::min<std::size_t>(level + (change > 2.0 * tolerance_ ? 2 : 1), passes_.size() - 1);
        ControlledCase tried = with_steps_of(level, which);
        change = tried.change;
        if (!tried.has_failed || best.has_failed) {
            best = std::move(tried);
        }
    }
    if (best.has_failed) {
        failures_.add(which, passes_[level].failures().all().at(which));
    }
    return best;
}

}  // namespace plumecast
