#pragma once

#include "core/units.hpp"

/// Properties of fluids to a few percent, enough to estimate whether a case is worth a simulation.
namespace plumecast::estimate {

inline constexpr double square_metres_per_millidarcy = 9.869233e-16;
inline constexpr double compressibility = 9e-10;  ///< of rock and water together [1/Pa]
inline constexpr double plume_saturation = 0.4;   ///< mean within the plume
inline constexpr double plume_resistance = 0.5;   ///< of the plume over that of water

/// Viscosity of water [Pa s], a fit of Vogel's equation good to a few percent below 150 degC.
double water_viscosity(double celsius);

/// Density of CO2 [kg/m3] by the equation of Redlich and Kwong with the constants of Spycher, Pruess and Ennis-King
/// 2003.
double co2_density(double bar, double celsius);

/// Volume of CO2 [m3/s] at a rate [Mt/year].
double volume_rate(double megatonnes_per_year, double bar, double celsius);

}  // namespace plumecast::estimate
