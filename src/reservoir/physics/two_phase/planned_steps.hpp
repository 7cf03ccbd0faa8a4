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

/// Of StepCount where steps follow the growth of time [day]: the snapshots of generate(), whose intervals begin with a
/// day and grow by 1.36 or 1.42, have `substeps` steps between them with or without it, from the first on.
inline constexpr double grows_from_usual = 2.5;

/// How many time steps there are.
struct StepCount {
    int substeps = 1;
    int times_at_end = 1;  ///< times as many once all is injected
    /// Above 0 there are `substeps` steps not only between any two snapshots, but wherever the time since the first
    /// injection (since day 0 before it), and this beside it [day], grows by 1.4, equation (26) in docs/physics.md: few
    /// snapshots then make no long steps.
    double grows_from = 0.0;
    double longest_at_rest = 5.0 * days_per_year;  ///< step while nothing is injected any more [day]
};

/// Steps between two times of a case. Where no period ends in between they are as many as `count` says, each longer
/// than the one before by the same factor; where `grows_from` is 0 those from day 0 on are of equal length. Steps end
/// where periods end. After a change of the rate they grow by the time since it, from a small part of it on, but for
/// the first injection where `grows_from` is above 0. A period that ends within a millionth of a time ends there.
std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end,
                                       const StepCount& count);

}  // namespace plumecast::two_phase
