#pragma once

#include <span>
#include <string>

#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/simulation/deck_constants.hpp"

namespace plumecast {

/// Input of OPM Flow for a case in a box, with snapshots at `times` [day]: a Cartesian grid, its outermost cells with
/// the pore volume of the aquifer around, and every well at its own rate.
std::string deck_text(const BoxReservoir& reservoir, std::span<const double> times, BrinePhase brine = BrinePhase::oil);

}  // namespace plumecast
