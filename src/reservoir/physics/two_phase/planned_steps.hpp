#pragma once

#include <cstddef>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast::two_phase {

/// A time step that is asked for.
struct PlannedStep {
    double end = 0.0;   ///< [day]
    double rate = 0.0;  ///< of injection [Mt/year]
};

/// The period of those that end at `ends` that a day [day] lies in or ends; their number after the last. A day and an
/// end that differ by a millionth, as days in single precision do, are the same.
std::size_t period_at(const std::vector<double>& ends, double day);

/// Steps between two times of a case, `substeps` of them where no period ends in between, as step_ends() has them.
/// Steps end where periods end. After the first of these they grow by the time since the last, from a small part of it
/// on, and none is longer than five years while nothing is injected any more. A period that ends within a millionth of
/// a time ends there. Once all is injected there are `times_at_end` times as many.
std::vector<PlannedStep> planned_steps(const InjectionSchedule& injection, double start, double end, int substeps,
                                       int times_at_end = 1);

}  // namespace plumecast::two_phase
