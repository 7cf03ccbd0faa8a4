#pragma once

#include <span>
#include <string>

#include "data/generator/box/box_reservoir.hpp"

namespace plumecast {

/// Connection factor of a well in the middle of a cell, over a height `dz` [m], in cP m3 / (day bar), for a horizontal
/// permeability [mD] alike in all directions (Peaceman, "Interpretation of well-block pressures", SPE Journal 18
/// (1978)).
double peaceman_connection_factor(double dx, double dy, double dz, double permeability);

/// Input of OPM Flow for a case in a box, with snapshots at `times` [day]: a Cartesian grid, its outermost cells with
/// the pore volume of the aquifer around, and every well at its own rate.
std::string deck_text(const BoxReservoir& reservoir, std::span<const double> times);

}  // namespace plumecast
