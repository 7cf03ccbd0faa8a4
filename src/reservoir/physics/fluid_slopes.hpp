#pragma once

namespace plumecast {

/// Derivatives of a property by pressure [per bar], temperature [per degC] and, of brine, salinity [per kg/kg].
struct FluidSlopes {
    double pressure = 0.0;
    double temperature = 0.0;
    double salinity = 0.0;
};

/// Of water_density() [kg/m3].
FluidSlopes water_density_slopes(double pressure, double temperature);

/// Of brine_density() [kg/m3].
FluidSlopes brine_density_slopes(double pressure, double temperature, double salinity);

/// Of brine_compressibility() [1/bar].
FluidSlopes brine_compressibility_slopes(double pressure, double temperature, double salinity, double span = 50.0);

/// The slope of the viscosity by the salinity grows without bound towards fresh water; below this salinity it is that
/// at it [kg/kg].
inline constexpr double least_salinity_with_slope = 1e-4;

/// Of brine_viscosity() [cP], which knows no pressure.
struct BrineViscositySlopes {
    double temperature = 0.0;
    double salinity = 0.0;
};
BrineViscositySlopes brine_viscosity_slopes(double temperature, double salinity);

/// Of hydrostatic_pressure() [bar], `below` [per m].
struct HydrostaticSlopes {
    double pressure = 0.0;
    double temperature = 0.0;
    double salinity = 0.0;
    double below = 0.0;
};
HydrostaticSlopes hydrostatic_pressure_slopes(double pressure, double temperature, double salinity, double below);

/// Of co2_density() [kg/m3], on the side of the vapour pressure that the state is on. Throws InvalidInput as it does.
FluidSlopes co2_density_slopes(double pressure, double temperature);
/// The same where the density [kg/m3] at that pressure is known already.
FluidSlopes co2_density_slopes_at(double density, double temperature);

/// Of co2_viscosity() [cP], by density [per kg/m3] and temperature.
struct Co2ViscositySlopes {
    double density = 0.0;
    double temperature = 0.0;
};
Co2ViscositySlopes co2_viscosity_slopes(double density, double temperature);

}  // namespace plumecast
