#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast {

/// Rates of the wells of a case [W] in the periods of the data set; none without a schedule.
std::vector<InjectionSchedule> schedules_of_wells(const Dataset& dataset, std::int64_t which);

/// The same of all wells together.
InjectionSchedule stated_schedule(const Dataset& dataset, std::int64_t which);

/// The same with the fewest periods (InjectionSchedule::joined()); none where the rate is constant
/// until the last time, so that `injection_rate` says all.
InjectionSchedule schedule_of(const Dataset& dataset, std::int64_t which);

}  // namespace plumecast
