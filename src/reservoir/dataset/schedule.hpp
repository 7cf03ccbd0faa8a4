#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/physics/radial_case.hpp>

namespace plumecast {

class DatasetStore;

/// Whether a store holds an array of a schedule.
bool has_schedule(const DatasetStore& store);

/// How the schedule of a store departs from the format, and `injection_rate` from its mean; nothing for a store without
/// one. Throws InvalidData for an array that cannot be read.
std::vector<Violation> schedule_violations(const DatasetStore& store);

/// The rates of a case of all wells together, `rates` [N, W, P] over the periods that end at `ends`.
InjectionSchedule schedule_of_all_wells(const std::vector<double>& ends, const std::vector<float>& rates,
                                        std::int64_t cases, std::int64_t which);

/// Mean rate [Mt/year] over the injection: from time 0 to the end of the last period that has any; 0 without one.
double mean_rate(const InjectionSchedule& schedule);

}  // namespace plumecast
