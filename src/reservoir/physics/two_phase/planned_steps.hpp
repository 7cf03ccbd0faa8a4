#pragma once

#include <cstddef>
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

/// Of StepCount where steps follow the growth of time [day]: the snapshots of generate() then have `substeps` steps
/// between them, from the first on.
inline constexpr double grows_from_usual = 2.5;

/// How many time steps there are.
struct StepCount {
    int substeps = 1;
    int times_at_end = 1;  ///< times as many once all is injected
    /// Which times have `substeps` steps between them [day]. 0: any two snapshots. Else those between which the time
    /// since the first injection, and this beside it, grows by 1.4, equation (26) in docs/physics.md: the fields hardly
    /// depend on which snapshots are asked for, and many cost no more than few.
    double grows_from = 0.0;
    double longest_at_rest = 5.0 * days_per_year;  ///< step while nothing is injected any more [day]
};

/// Steps between two times of a case. Where no period ends in between they are as many as `count` says, one at least,
/// each longer than the one before by the same factor; from 0 to the first time of `grows_from` = 0, of equal length.
/// Steps end where periods end. After the first of these they grow by the time since the last, from a small part of it
/// on. A period that ends within a millionth of a time ends there.
std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end,
                                       const StepCount& count);

}  // namespace plumecast::two_phase
