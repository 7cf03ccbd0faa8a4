#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/case_values.hpp"

namespace plumecast {

/// The rate that the values state [Mt/year]: injection_rate, else the sum of the rates of wells; nothing without both.
std::optional<double> stated_rate(const CaseValues& values);

/// Notes an injection_rate that departs by more than 1 % from what the wells among the values add up to, with both
/// numbers. Wells of the rate 0 tell no more than places.
void note_wells_departure(const CaseValues& values, std::vector<std::string>& notes);

/// The same of a stated rate beside that of the run, the volume that it injects in a year [sm3] times surface_density.
void note_run_departure(const CaseValues& values, double yearly_volume, std::vector<std::string>& notes);

}  // namespace plumecast
