#pragma once

#include <vector>

namespace plumecast {

/// Density [kg/m3] of pure CO2 at a pressure [bar] and a temperature [degC]: the 12-term equation of state of Span and
/// Wagner (2003, part III), within 0.5 % of their reference equation (1996) away from the critical point. Below the
/// critical temperature, liquid above the vapour pressure and gas below it. Valid from 0 to 1000 bar and 0 to 400 degC;
/// throws InvalidInput outside.
double co2_density(double pressure, double temperature);

/// Density [kg/m3] of pure water after Batzle and Wang (1992), eq. 27a; pressure [bar], temperature [degC].
double water_density(double pressure, double temperature);

/// Pressure [bar] a height `below` [m] under a point of pressure [bar] in still water of one density and temperature.
double hydrostatic_pressure(double pressure, double temperature, double below);

/// Depth [m] below a surface at 1.01325 bar at which still water of that temperature has a pressure [bar].
double hydrostatic_depth(double pressure, double temperature);

/// co2_density() at one temperature, tabulated between two pressures [bar] and interpolated; for whole fields.
class Co2DensityTable {
   public:
    Co2DensityTable(double temperature, double low, double high);
    /// Density [kg/m3]; the nearest end of the table outside.
    double at(double pressure) const;

   private:
    double low_;
    double step_;
    std::vector<double> values_;
};

}  // namespace plumecast
