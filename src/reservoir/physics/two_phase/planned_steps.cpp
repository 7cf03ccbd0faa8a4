#include "reservoir/physics/two_phase/planned_steps.hpp"

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "reservoir/physics/time_steps.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double same_day = 1e-6;                        // relative; days in single precision differ by less
constexpr double longest_at_rest = 5.0 * days_per_year;  // step once injection has stopped [day]
constexpr double growth = 30.0;       // about by what the last step after a change of the rate is longer than the first
constexpr double growth_later = 4.0;  // of the time since the change, over `substeps` steps

/// Ends of the steps from a change of the rate to a time, equation (18) in docs/physics.md: each step is longer than
/// the one before by the same factor.
std::vector<double> ends_after_change(double change, double end, int substeps) {
    const int steps = 2 * substeps;
    std::vector<double> ends;
    for (int step = 1; step < steps; ++step) {
        const double grown = std::pow(growth, static_cast<double>(step) / static_cast<double>(steps));
        ends.push_back(change + (end - change) * (grown - 1.0) / (growth - 1.0));
    }
    ends.push_back(end);
    return ends;
}

/// Ends of the steps between two times within a period that began at `change`.
std::vector<double> ends_within(double change, double start, double end, int substeps) {
    if (change == 0.0) {
        return step_ends(start, end, substeps);
    }
    if (start == change) {
        return ends_after_change(change, end, substeps);
    }
    const double intervals = std::log((end - change) / (start - change)) / std::log(growth_later);
    const int steps = std::max(substeps, static_cast<int>(std::ceil(substeps * intervals)));
    std::vector<double> ends = step_ends(start - change, end - change, steps);
    for (double& time : ends) {
        time += change;
    }
    ends.back() = end;
    return ends;
}

bool are_same(double one, double other) { return std::abs(one - other) <= same_day * std::max(one, other); }

/// Whether nothing is injected from a period on.
bool is_over_from(const InjectionSchedule& injection, std::size_t period) {
    return std::all_of(injection.rates.begin() + static_cast<std::ptrdiff_t>(std::min(period, injection.rates.size())),
                       injection.rates.end(), [](double rate) { return rate == 0.0; });
}

}  // namespace

std::size_t period_at(const std::vector<double>& ends, double day) {
    const auto found = std::ranges::lower_bound(ends, day * (1.0 - same_day));
    return static_cast<std::size_t>(found - ends.begin());
}

std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end, int substeps,
                                       int times_at_end) {
    const auto& [ends, rates] = injection;
    std::vector<PlannedStep> steps;
    std::size_t period = period_at(ends, start * (1.0 + 2.0 * same_day));
    for (double now = start; now < end; ++period) {
        const bool is_in_schedule = period < ends.size();
        const double until = is_in_schedule && ends[period] < end && !are_same(ends[period], end) ? ends[period] : end;
        const double rate = is_in_schedule ? rates[period] : 0.0, change = period > 0 ? ends[period - 1] : 0.0;
        const bool has_stopped = rate == 0.0 && injection.injected(change) > 0.0;
        const double since = are_same(change, now) ? now : change;
        const bool is_over = has_stopped && is_over_from(injection, period);
        for (const double step_end : ends_within(since, now, until, is_over ? times_at_end * substeps : substeps)) {
            const double days = step_end - now;
            const double parts = has_stopped ? std::ceil(days / longest_at_rest) : 1.0;
            for (double part = 1.0; part < parts; ++part) {
                steps.push_back({now + days * part / parts, rate});
            }
            steps.push_back({step_end, rate});
            now = step_end;
        }
    }
    return steps;
}

}  // namespace plumecast::two_phase
