#pragma once

#include "core/units.hpp"

namespace plumecast {

/// Which of the simulator's phases is brine. OPM Flow 2022.10 dissolves CO2 in its oil only, release 2024.10 in its
/// water too (docs/generate.md).
enum class BrinePhase { oil, water };

/// Density of CO2 at the simulator's surface conditions [kg/sm3].
inline constexpr double surface_density = 1.86842;

/// Injection rate in surface volume [sm3/day] of a mass rate [Mt/year]; a year has 365.25 days.
inline constexpr double surface_rate(double megatonnes_per_year) {
    return megatonnes_per_year * kilograms_per_megatonne / days_per_year / surface_density;
}

/// Rock compressibility; pore volumes are those at the initial pressure of the top [1/bar].
inline constexpr double rock_compressibility = 4.5e-5;

/// Temperature of the brine whose weight makes the initial pressures [degC]: OPM Flow 2022.10 takes its density at
/// surface conditions, whatever the reservoir's temperature.
inline constexpr double initial_brine_temperature = 15.56;

}  // namespace plumecast
