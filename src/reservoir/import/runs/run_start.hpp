#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/summary.hpp"

namespace plumecast {

/// When a run starts: STARTDAT of its summary, else the date in `head`, the INTEHEAD of its first state, less the `day`
/// of that state; nothing where neither tells it.
std::optional<std::chrono::sys_seconds> run_start(const eclipse::Summary& summary, const std::vector<double>& head,
                                                  double day);

/// What is to be said of a date of the start that the calendar does not have; empty for nothing.
std::string wrong_run_start(const eclipse::Summary& summary, const std::vector<double>& head, double day);

}  // namespace plumecast
