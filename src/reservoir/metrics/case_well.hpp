#pragma once

#include <cstddef>
#include <vector>

namespace plumecast {

/// Radius of a well in a box whose file and user state none [m].
inline constexpr double default_well_radius = 0.1;

/// A perforated cell of a well.
struct WellConnection {
    std::size_t cell = 0;
    double factor = 0.0;  ///< connection factor [cP m3/(day bar)]; NaN where the cell is too narrow for the well
    double depth = 0.0;   ///< of the cell's centre below the top of the formation [m]
    /// What the capillary pressure of the usual curves is multiplied by in the cell, by which gas is above brine there;
    /// 0 where pressures of gas and brine are not told apart.
    double capillary = 0.0;
};

/// A vertical injector: all of its connections share one pressure and the weight of the CO2 in the well.
struct CaseWell {
    std::vector<WellConnection> connections;  ///< from the top down
    double share = 1.0;                       ///< of what the case injects
    /// [T] at the times of the case, where the well has a schedule of its own beside others [kg/day]; else empty.
    std::vector<double> rates = {};
    std::vector<double> injected = {};  ///< [T] by that schedule until the times of the case [Mt]; else empty
};

/// What the flow between wells and cells depends on beside pressure and saturation.
struct WellFluids {
    double temperature = 0.0;        ///< [degC]
    double irreducible_water = 0.2;  ///< saturation
    double lambda = 0.5;             ///< van Genuchten's exponent
    double residual_gas = 0.05;      ///< saturation
    double salinity = 0.0;           ///< of the brine [kg/kg]
};

}  // namespace plumecast
