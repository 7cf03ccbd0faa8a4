#include "reservoir/physics/two_phase/planned_steps.hpp"

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/time_steps.hpp"

namespace plumecast::two_phase {
namespace {

constexpr double same_day = 1e-6;     // relative; days in single precision differ by less
constexpr double growth = 30.0;       // about by what the last step after a change of the rate is longer than the first
constexpr double growth_later = 4.0;  // of the time since the change, over `substeps` steps at least
constexpr double growth_usual = 1.36;  // of the time since the first injection, over `substeps` steps

/// Ends of so many steps from a change of the rate to a time, equation (18) in docs/physics.md: each step is longer
/// than the one before by the same factor.
std::vector<double> ends_after_change(double change, double end, int steps) {
    std::vector<double> ends;
    for (int step = 1; step < steps; ++step) {
        const double grown = std::pow(growth, static_cast<double>(step) / static_cast<double>(steps));
        ends.push_back(change + (end - change) * (grown - 1.0) / (growth - 1.0));
    }
    ends.push_back(end);
    return ends;
}

/// Ends of so many steps from one time to another, each longer than the one before by the same factor, as the time from
/// `origin` on grows.
std::vector<double> ends_growing_from(double origin, double start, double end, int steps) {
    std::vector<double> ends = step_ends(start - origin, end - origin, steps);
    for (double& time : ends) {
        time += origin;
    }
    ends.back() = end;
    return ends;
}

/// How often the time from `origin` on grows by `factor`.
double growths(double origin, double start, double end, double factor) {
    return std::log((end - origin) / (start - origin)) / std::log(factor);
}

bool are_same(double one, double other) { return std::abs(one - other) <= same_day * std::max(one, other); }

/// The day from which on anything is injected; 0 where nothing is.
double first_injection(const InjectionSchedule& injection) {
    const auto found = std::ranges::find_if(injection.rates, [](double rate) { return rate > 0.0; });
    const auto period = found - injection.rates.begin();
    return found == injection.rates.end() || period == 0 ? 0.0 : injection.ends[static_cast<std::size_t>(period) - 1];
}

/// Ends of the steps between two times within a period that began at `change`; what is injected first, at `first`.
std::vector<double> ends_within(double change, double start, double end, double first, const StepCount& count) {
    if (change == 0.0 || are_same(change, first)) {
        const bool is_before = start < first && !are_same(start, first);
        return ends_growing_from(is_before ? 0.0 : std::min(start, first), start, end, count.substeps);
    }
    if (start == change) {
        return ends_after_change(change, end, 2 * count.substeps);
    }
    const double later = std::ceil(count.substeps * growths(change, start, end, growth_later));
    return ends_growing_from(change, start, end, std::max(count.substeps, static_cast<int>(later)));
}

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

std::vector<double> planned_times(const InjectionSchedule& injection, double last_snapshot, const StepCount& count) {
    expects(count.grows_from > 0.0, "time that grows");
    const double first = first_injection(injection);
    std::vector<double> times(first > 0.0 ? 1 : 0, first);
    for (double after = count.grows_from; times.empty() || times.back() < last_snapshot;) {
        after *= growth_usual;
        times.push_back(first + after - count.grows_from);
    }
    return times;
}

std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end,
                                       const StepCount& count) {
    const auto& [ends, rates] = injection;
    std::vector<PlannedStep> steps;
    const double first = first_injection(injection);
    std::size_t period = period_at(ends, start * (1.0 + 2.0 * same_day));
    for (double now = start; now < end; ++period) {
        const bool is_in_schedule = period < ends.size();
        const double until = is_in_schedule && ends[period] < end && !are_same(ends[period], end) ? ends[period] : end;
        const double rate = is_in_schedule ? rates[period] : 0.0, change = period > 0 ? ends[period - 1] : 0.0;
        const bool has_stopped = rate == 0.0 && injection.injected(change) > 0.0;
        const double since = are_same(change, now) ? now : change;
        const bool is_over = has_stopped && is_over_from(injection, period);
        StepCount here = count;
        here.substeps *= is_over ? count.times_at_end : 1;
        for (const double step_end : ends_within(since, now, until, first, here)) {
            const double days = step_end - now;
            const double parts = has_stopped ? std::ceil(days / count.longest_at_rest) : 1.0;
            for (double part = 1.0; part < parts; ++part) {
                steps.push_back({now + days * part / parts, rate});
            }
            steps.push_back({step_end, rate});
            now = step_end;
        }
    }
    return steps;
}

void go_through(const InjectionSchedule& injection, const std::vector<double>& snapshots, const StepCount& count,
                const AdvanceStep& advance, const TellShare& at_snapshot) {
    double now = 0.0;
    std::size_t next = 0;
    const auto is_within = [&](std::size_t snapshot, double end) {
        return snapshot < snapshots.size() && snapshots[snapshot] < end && !are_same(snapshots[snapshot], end);
    };
    if (snapshots.front() == 0.0) {
        at_snapshot(next++, 1.0);
    }
    for (const double time : planned_times(injection, snapshots.back(), count)) {
        for (const PlannedStep& step : planned_steps(injection, now, time, count)) {
            if (next == snapshots.size()) {
                return;
            }
            const double days = step.end - now;
            for (std::size_t snapshot = next; is_within(snapshot, step.end); ++snapshot) {
                at_snapshot(snapshot, (step.end - snapshots[snapshot]) / days);
            }
            advance(now, step);
            for (; is_within(next, step.end); ++next) {
                at_snapshot(next, (snapshots[next] - now) / days);
            }
            for (; next < snapshots.size() && are_same(snapshots[next], step.end); ++next) {
                at_snapshot(next, 1.0);
            }
            now = step.end;
        }
    }
    expects(next == snapshots.size(), "steps until the last snapshot");
}

float joined_pressure(float before, double now, double share) {
    return static_cast<float>(std::isnan(before) ? now : (1.0 - share) * static_cast<double>(before) + share * now);
}

}  // namespace plumecast::two_phase
