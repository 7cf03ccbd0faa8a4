#pragma once

namespace plumecast {

/// Derivatives of a property by pressure [per bar] and temperature [per degC].
struct FluidSlopes {
    double pressure = 0.0;
    double temperature = 0.0;
};

/// Of water_density() [kg/m3].
FluidSlopes water_density_slopes(double pressure, double temperature);

/// Of water_compressibility() [1/bar].
FluidSlopes water_compressibility_slopes(double pressure, double temperature);

/// Of water_viscosity() [cP], which knows no pressure.
double water_viscosity_slope(double temperature);

/// Of hydrostatic_pressure() [bar], `below` [per m].
struct HydrostaticSlopes {
    double pressure = 0.0;
    double temperature = 0.0;
    double below = 0.0;
};
HydrostaticSlopes hydrostatic_pressure_slopes(double pressure, double temperature, double below);

/// Of co2_density() [kg/m3], on the side of the vapour pressure that the state is on. Throws InvalidInput as it does.
FluidSlopes co2_density_slopes(double pressure, double temperature);

/// Of co2_viscosity() [cP], by density [per kg/m3] and temperature.
struct Co2ViscositySlopes {
    double density = 0.0;
    double temperature = 0.0;
};
Co2ViscositySlopes co2_viscosity_slopes(double density, double temperature);

}  // namespace plumecast
