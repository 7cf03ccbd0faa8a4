
#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/fluid_slopes.hpp"

namespace plumecast {
namespace {

constexpr double gravity = 9.80665;             // [m/s2]
constexpr double atmosphere = 1.01325;          // [bar]
constexpr double water_molar_mass = 18.015268;  // of water [g/mol]
constexpr double compressibility_step = 50.0;   // [bar]

}  // namespace

// Hu et al. 2007, eqs. 1 to 3: the molar volume is a cubic of the pressure, its coefficients functions of temperature.
double water_density(double pressure, double temperature) {
    const double t = temperature + 273.15;  // [K]
    const double p = 0.1 * pressure;        // [MPa]
    const double k0 = 1e-3 * (((3.27225e-7 * t - 4.20950e-4) * t + 2.32594e-1) * t - 4.16920e1 + 5.71292e3 / t);
    const double k1 = 1e-2 * (((-2.32306e-10 * t + 2.91138e-7) * t - 1.49662e-4) * t + 3.59860e-2 - 3.55071 / t);
    const double k2 = 1e-1 * ((2.57241e-14 * t - 1.24336e-11) * t * t + 5.42707e-7);
    const double k3 = (-4.42028e-18 * t + 2.10007e-15) * t * t - 8.11491e-11;
    return water_molar_mass / (((k3 * p + k2) * p + k1) * p + k0);  // molar volume in m3/kmol
}

// The same polynomials and their derivatives: with the molar volume v, d(M / v) = -(M / v)^2 dv / M.
FluidSlopes water_density_slopes(double pressure, double temperature) {
    const double t = temperature + 273.15;
    const double p = 0.1 * pressure;
    const double k1 = 1e-2 * (((-2.32306e-10 * t + 2.91138e-7) * t - 1.49662e-4) * t + 3.59860e-2 - 3.55071 / t);
    const double k2 = 1e-1 * ((2.57241e-14 * t - 1.24336e-11) * t * t + 5.42707e-7);
    const double k3 = (-4.42028e-18 * t + 2.10007e-15) * t * t - 8.11491e-11;
    const double k0_slope = 1e-3 * ((3.0 * 3.27225e-7 * t - 2.0 * 4.20950e-4) * t + 2.32594e-1 - 5.71292e3 / (t * t));
    const double k1_slope = 1e-2 * ((3.0 * -2.32306e-10 * t + 2.0 * 2.91138e-7) * t - 1.49662e-4 + 3.55071 / (t * t));
    const double k2_slope = 1e-1 * (3.0 * 2.57241e-14 * t - 2.0 * 1.24336e-11) * t;
    const double k3_slope = (3.0 * -4.42028e-18 * t + 2.0 * 2.10007e-15) * t;
    const double by_pressure = 0.1 * ((3.0 * k3 * p + 2.0 * k2) * p + k1);
    const double by_temperature = ((k3_slope * p + k2_slope) * p + k1_slope) * p + k0_slope;
    const double density = water_density(pressure, temperature);
    const double factor = -density * density / water_molar_mass;
    return {factor * by_pressure, factor * by_temperature};
}

double hydrostatic_pressure(double pressure, double temperature, double below) {
    return pressure + water_density(pressure, temperature) * gravity * below / pascals_per_bar;
}

HydrostaticSlopes hydrostatic_pressure_slopes(double pressure, double temperature, double below) {
    const double weight = gravity / pascals_per_bar;
    const FluidSlopes density = water_density_slopes(pressure, temperature);
    return {1.0 + density.pressure * weight * below, density.temperature * weight * below,
            water_density(pressure, temperature) * weight};
}

double hydrostatic_depth(double pressure, double temperature) {
    return std::max(0.0, pressure - atmosphere) * pascals_per_bar / (water_density(pressure, temperature) * gravity);
}

double water_compressibility(double pressure, double temperature) {
    const double density = water_density(pressure, temperature);
    return (water_density(pressure + compressibility_step, temperature) - density) / (compressibility_step * density);
}

FluidSlopes water_compressibility_slopes(double pressure, double temperature) {
    const double low = water_density(pressure, temperature);
    const double high = water_density(pressure + compressibility_step, temperature);
    const FluidSlopes at_low = water_density_slopes(pressure, temperature);
    const FluidSlopes at_high = water_density_slopes(pressure + compressibility_step, temperature);
    const double factor = 1.0 / (compressibility_step * low);
    const double ratio = high / low;
    return {factor * (at_high.pressure - ratio * at_low.pressure),
            factor * (at_high.temperature - ratio * at_low.temperature)};
}

double dissolved_co2_density(double temperature) {
    const double t = temperature;
    constexpr double molar_mass = 44.0095;                                                       // [g/mol]
    const double molar_volume = 37.51 - 9.585e-2 * t + 8.740e-4 * t * t - 5.044e-7 * t * t * t;  // [cm3/mol]
    return 1e3 * molar_mass / molar_volume;
}

// 0.42 (S^0.8 - 0.17)^2 + 0.045 at the salinity S = 0.
constexpr double without_salt = 0.42 * 0.17 * 0.17 + 0.045;

double water_viscosity(double temperature) { return 0.1 + 1.65 * std::exp(-without_salt * std::pow(temperature, 0.8)); }

double water_viscosity_slope(double temperature) {
    return -0.8 * without_salt * std::pow(temperature, -0.2) * (water_viscosity(temperature) - 0.1);
}

}  // namespace plumecast
