#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "core/units.hpp"

namespace plumecast::two_phase {

/// A time step that is asked for.
struct PlannedStep {
    double end = 0.0;   ///< [day]
    double rate = 0.0;  ///< of injection [Mt/year]
};

/// The period of those that end at `ends` that a day [day] lies in or ends; their number after the last. A day and an
/// end that differ by a millionth, as days in single precision do, are the same.
std::size_t period_at(const std::vector<double>& ends, double day);

/// How many time steps there are between two of the planned_times().
struct StepCount {
    int substeps = 1;
    int times_at_end = 1;                          ///< times as many once all is injected
    double longest_at_rest = 5.0 * days_per_year;  ///< step while nothing is injected any more [day]
    double grows_from = 2.5;  ///< [day], above 0: from where on time grows in equation (4) in docs/physics.md
};

/// The times [day], increasing, that steps are counted between, from day 0 on: the first injection and the times of
/// equation (4) in docs/physics.md after it, until one is not before the last snapshot. At each the time since the
/// first injection, and `grows_from` beside it, has grown by 1.36 again.
std::vector<double> planned_times(const InjectionSchedule& injection, double last_snapshot, const StepCount& count);

/// Steps between two of the planned_times() of a case. Where no period ends in between they are as many as `count`
/// says, each longer than the one before by the same factor, those from day 0 or the first injection on of equal
/// length. Steps end where periods end. After a change of the rate they grow by the time since it, from a small part of
/// it on, but for the first injection. A period that ends within a millionth of a time ends there.
std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end,
                                       const StepCount& count);

using AdvanceStep = std::function<void(double from, const PlannedStep& step)>;
using TellShare = std::function<void(std::size_t snapshot, double share)>;

/// Takes the steps of a case from day 0 until the last snapshot [day] is reached. A snapshot within a step is the mean
/// of the states at its start and its end, linear in time, equation (5): `at_snapshot` is called at both with the
/// share that the state has in it, which is 1 at day 0 and where a step ends within a millionth of the snapshot.
void go_through(const InjectionSchedule& injection, const std::vector<double>& snapshots, const StepCount& count,
                const AdvanceStep& advance, const TellShare& at_snapshot);

/// The pressure in a well at a snapshot, of what go_through() gives for it: at first what was there before (NaN), then
/// the mean of two values. NaN where nothing is injected at the end of the step, and its value where nothing was
/// before.
float joined_pressure(float before, double now, double share);

}  // namespace plumecast::two_phase
