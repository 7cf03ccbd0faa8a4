#pragma once

#include <span>
#include <string>

#include "data/generator/reservoir.hpp"

namespace plumecast {

/// Density of CO2 at the simulator's surface conditions [kg/sm3].
inline constexpr double surface_density = 1.86842;

/// Rock compressibility; pore volumes are those at the initial pressure of the top [1/bar].
inline constexpr double rock_compressibility = 4.5e-5;

/// Injection rate in surface volume [sm3/day] of a mass rate [Mt/year]; a year has 365.25 days.
double surface_rate(double megatonnes_per_year);

/// Input of OPM Flow for a case, with snapshots at `times` [day]. Brine is the simulator's oil phase, because CO2
/// dissolves in oil only; cells are those of an unrolled cylinder, whose transmissibilities are overridden by the
/// cylinder's own.
std::string deck_text(const Reservoir& reservoir, std::span<const double> times);

}  // namespace plumecast
