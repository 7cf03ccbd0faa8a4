#pragma once

#include <span>
#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/case_model/reservoir.hpp"

namespace plumecast {

/// Density of CO2 at the simulator's surface conditions [kg/sm3].
inline constexpr double surface_density = 1.86842;

/// Rock compressibility; pore volumes are those at the initial pressure of the top [1/bar].
inline constexpr double rock_compressibility = 4.5e-5;

/// Temperature of the brine whose weight makes the initial pressures [degC]: OPM Flow 2022.10 takes its density at
/// surface conditions, whatever the reservoir's temperature.
inline constexpr double initial_brine_temperature = 15.56;

/// What the deck assumes of rock and fluids, for the data sets made with it; of the temperature of the brine nothing
/// where the simulator does not weigh it at surface conditions.
RockFluidSettings deck_rock_fluid(bool weighs_brine_at_surface_temperature);

/// Injection rate in surface volume [sm3/day] of a mass rate [Mt/year]; a year has 365.25 days.
double surface_rate(double megatonnes_per_year);

/// Input of OPM Flow for a case, with snapshots at `times` [day]. Brine is the simulator's oil phase, because CO2
/// dissolves in oil only; cells are those of an unrolled cylinder, whose transmissibilities are overridden by the
/// cylinder's own.
std::string deck_text(const Reservoir& reservoir, std::span<const double> times);

}  // namespace plumecast
