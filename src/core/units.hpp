#pragma once

/// Factors between units of the data set format and those of equations.
namespace plumecast {

inline constexpr double days_per_year = 365.25;         ///< Julian years
inline constexpr double seconds_per_day = 86400.0;      ///< [s/day]
inline constexpr double kilograms_per_megatonne = 1e9;  ///< [kg/Mt]
inline constexpr double pascals_per_bar = 1e5;          ///< [Pa/bar]
inline constexpr double zero_celsius = 273.15;          ///< [K]

}  // namespace plumecast
