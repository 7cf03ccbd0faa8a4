#pragma once

/// Factors between units of the data set format and those of equations.
namespace plumecast {

inline constexpr double days_per_year = 365.25;         ///< Julian years
inline constexpr double seconds_per_day = 86400.0;      ///< [s/day]
inline constexpr double kilograms_per_megatonne = 1e9;  ///< [kg/Mt]
inline constexpr double pascals_per_bar = 1e5;          ///< [Pa/bar]
inline constexpr double zero_celsius = 273.15;          ///< [K]
inline constexpr double salt_molar_mass = 0.05844;      ///< of NaCl [kg/mol]

/// Salinity [kg NaCl per kg of brine] of a molality [mol NaCl per kg of water].
constexpr double salinity_of(double molality) {
    return molality * salt_molar_mass / (1.0 + molality * salt_molar_mass);
}

/// Molality [mol NaCl per kg of water] of a salinity [kg NaCl per kg of brine].
constexpr double molality_of(double salinity) { return salinity / ((1.0 - salinity) * salt_molar_mass); }

}  // namespace plumecast
