#pragma once

#include <vector>

namespace plumecast {

/// One row of the table of relative permeabilities and capillary pressure.
struct SaturationRow {
    double gas_saturation = 0.0;
    double gas_permeability = 0.0;    ///< relative, 0 to 1
    double water_permeability = 0.0;  ///< relative, 0 to 1
    double capillary_pressure = 0.0;  ///< of rock with the entry pressure `entry_pressure` [bar]
};

/// Gas saturation that stays behind when brine returns.
inline constexpr double residual_gas_saturation = 0.05;
/// Capillary entry pressure of rock of 100 mD and porosity 0.2 [bar].
inline constexpr double entry_pressure = 0.1961;
/// Largest capillary pressure over the entry pressure.
inline constexpr double capillary_limit = 30.0;

/// Water after van Genuchten (1980) and Mualem (1976), gas after Corey (1954), capillary pressure after van Genuchten
/// with the same exponent; from no gas to all water but the irreducible share.
std::vector<SaturationRow> saturation_table(double irreducible_water, double lambda,
                                            double residual_gas = residual_gas_saturation,
                                            double entry = entry_pressure);

/// Capillary pressure of rock of that permeability [mD] and porosity over that of the table (Leverett 1941).
double leverett_factor(double permeability, double porosity);

}  // namespace plumecast
