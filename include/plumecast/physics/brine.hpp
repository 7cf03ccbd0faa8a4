#pragma once

namespace plumecast {

/// Density [kg/m3] of pure water after Batzle and Wang (1992), eq. 27a; pressure [bar], temperature [degC].
double water_density(double pressure, double temperature);

/// Pressure [bar] a height `below` [m] under a point of pressure [bar] in still water of one density and temperature.
double hydrostatic_pressure(double pressure, double temperature, double below);

/// Depth [m] below a surface at 1.01325 bar at which still water of that temperature has a pressure [bar].
double hydrostatic_depth(double pressure, double temperature);

/// Compressibility [1/bar] of pure water: the slope of water_density() over the 50 bar above a pressure [bar].
double water_compressibility(double pressure, double temperature);

/// Viscosity [cP] of pure water after Batzle and Wang (1992), eq. 32 without salt; temperature [degC]. The simulator's
/// brine uses it too. It knows no pressure, which changes the viscosity by 4 % over 300 bar, and is 9 % above the
/// reference (IAPWS 2008) at 122 degC.
double water_viscosity(double temperature);

}  // namespace plumecast
