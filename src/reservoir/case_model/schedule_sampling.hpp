#pragma once

#include <cstdint>
#include <vector>

#include "reservoir/case_model/case_sampling.hpp"

namespace plumecast {

/// Ends of the periods [day] in which rates of cases are constant, up to `last` at most; empty where all cases inject
/// at one rate until then.
std::vector<double> schedule_ends(const ScheduleSettings& laws, double last);

/// Makes a schedule of the rate of a case until `last` [day], or of each of its wells, of which the mean until all have
/// stopped becomes the rate. Leaves a case as it is where schedule_ends() is empty.
void draw_schedule(const GeneratorConfiguration& configuration, double last, SampledCase& sampled);

}  // namespace plumecast
