#pragma once

#include <string>
#include <vector>

#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// The moment of a day of the run, as ISO 8601 has it: "2030-06-01", with "T06:30:00" unless it is midnight. Empty when
/// the model tells no date.
std::string date_of(ReservoirModel& model, double day);

/// Highest bottom-hole pressure [bar] of the wells that inject, at `times` [day] since the day `start` of the run; NaN
/// where nothing is injected. Empty when the model does not say.
std::vector<float> pressures_at(ReservoirModel& model, double start, const std::vector<double>& times);

}  // namespace plumecast
