#pragma once

#include <span>
#include <vector>

namespace plumecast {

/// Density [kg/m3] of pure water after Hu, Duan, Zhu and Chou (2007); pressure [bar] up to 1000, temperature [degC] 0
/// to 370. Within 1e-4 of the reference equation (IAPWS-95) at 35 to 120 degC.
double water_density(double pressure, double temperature);

/// Density [kg/m3] of brine of a salinity [kg NaCl per kg of brine]: that of water with what salt adds to it after
/// Batzle and Wang (1992), eq. 27b, as in the simulator; stated for 20 to 350 degC, 50 to 1000 bar and up to 0.32.
double brine_density(double pressure, double temperature, double salinity);

/// Pressure [bar] a height `below` [m] under a point of pressure [bar] in still brine of one density, temperature and
/// salinity.
double hydrostatic_pressure(double pressure, double temperature, double salinity, double below);

/// Still brine that grows warmer with depth.
struct WarmBrine {
    double pressure = 0.0;     ///< at its top [bar]
    double temperature = 0.0;  ///< at its top [degC]
    double gradient = 0.0;     ///< of the temperature [degC/m]
    double salinity = 0.0;     ///< NaCl per brine [kg/kg]
};

/// Pressures [bar] at heights `below` [m] under the top of the brine, in their order: an integral of its weight by
/// steps of 5 m, of densities at the pressure of the top that grow with its compressibility.
std::vector<double> pressures_of_warm_brine(const WarmBrine& brine, std::span<const double> below);

/// Depth [m] below a surface at 1.01325 bar at which still water of that temperature, without salt, has a pressure
/// [bar].
double hydrostatic_depth(double pressure, double temperature);

/// Compressibility [1/bar] of brine: the slope of brine_density() over the `span` above a pressure [bar].
double brine_compressibility(double pressure, double temperature, double salinity, double span = 50.0);

/// Apparent density [kg/m3] of CO2 dissolved in water after Garcia (2001): its mass over the volume that it adds;
/// temperature [degC] 0 to 300. Brine that holds a mass c of it per volume weighs c + (1 - c / this) brine_density().
double dissolved_co2_density(double temperature);

/// The same in salt brine at a pressure [bar], such that its mass per volume is that of Garcia's (2001) density of
/// water with as much CO2, plus what salt adds to the density of water, as OPM Flow has it: equation (22) in
/// docs/physics.md.
double dissolved_co2_density(double pressure, double temperature, double salinity);

/// Viscosity [cP] of brine after Batzle and Wang (1992), eq. 32; temperature [degC]. The simulator's brine uses it too.
/// It knows no pressure, which changes the viscosity by 4 % over 300 bar, and without salt is 9 % above the reference
/// (IAPWS 2008) at 122 degC.
double brine_viscosity(double temperature, double salinity);

}  // namespace plumecast
