#pragma once

namespace plumecast {

/// Density [kg/m3] of pure water after Hu, Duan, Zhu and Chou (2007); pressure [bar] up to 1000, temperature [degC] 0
/// to 370. Within 1e-4 of the reference equation (IAPWS-95) at 35 to 120 degC.
double water_density(double pressure, double temperature);

/// Pressure [bar] a height `below` [m] under a point of pressure [bar] in still water of one density and temperature.
double hydrostatic_pressure(double pressure, double temperature, double below);

/// Depth [m] below a surface at 1.01325 bar at which still water of that temperature has a pressure [bar].
double hydrostatic_depth(double pressure, double temperature);

/// Compressibility [1/bar] of pure water: the slope of water_density() over the 50 bar above a pressure [bar].
double water_compressibility(double pressure, double temperature);

/// Apparent density [kg/m3] of CO2 dissolved in water after Garcia (2001): its mass over the volume that it adds;
/// temperature [degC] 0 to 300.
double dissolved_co2_density(double temperature);

/// Viscosity [cP] of pure water after Batzle and Wang (1992), eq. 32 without salt; temperature [degC]. The simulator's
/// brine uses it too. It knows no pressure, which changes the viscosity by 4 % over 300 bar, and is 9 % above the
/// reference (IAPWS 2008) at 122 degC.
double water_viscosity(double temperature);

}  // namespace plumecast
