
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

// Equation (15) in docs/physics.md: Batzle and Wang 1992, eq. 27b, with the pressure p in MPa.
double brine_density(double pressure, double temperature, double salinity) {
    const double t = temperature, p = 0.1 * pressure, s = salinity;
    const double slope = 300.0 * p - 2400.0 * p * s + t * (80.0 + 3.0 * t - 3300.0 * s - 13.0 * p + 47.0 * p * s);
    return water_density(pressure, temperature) + 1e3 * s * (0.668 + 0.44 * s + 1e-6 * slope);
}

FluidSlopes brine_density_slopes(double pressure, double temperature, double salinity) {
    const double t = temperature, p = 0.1 * pressure, s = salinity;
    const FluidSlopes water = water_density_slopes(pressure, temperature);
    const double constant = 300.0 * p + t * (80.0 + 3.0 * t - 13.0 * p);
    const double linear = -2400.0 * p + t * (-3300.0 + 47.0 * p);  // by s
    return {water.pressure + 1e-4 * s * (300.0 - 2400.0 * s + t * (-13.0 + 47.0 * s)),
            water.temperature + 1e-3 * s * (80.0 + 6.0 * t - 3300.0 * s - 13.0 * p + 47.0 * p * s),
            1e3 * (0.668 + 0.88 * s) + 1e-3 * (constant + 2.0 * linear * s)};
}

double hydrostatic_pressure(double pressure, double temperature, double salinity, double below) {
    return pressure + brine_density(pressure, temperature, salinity) * gravity * below / pascals_per_bar;
}

HydrostaticSlopes hydrostatic_pressure_slopes(double pressure, double temperature, double salinity, double below) {
    const double weight = gravity / pascals_per_bar;
    const FluidSlopes density = brine_density_slopes(pressure, temperature, salinity);
    return {1.0 + density.pressure * weight * below, density.temperature * weight * below,
            density.salinity * weight * below, brine_density(pressure, temperature, salinity) * weight};
}

namespace {

/// What a step downwards adds to the pressure.
double added_by_step(const WarmBrine& brine, double pressure, double from, double height) {
    const double temperature = brine.temperature + brine.gradient * (from + 0.5 * height);
    const double weight =
        brine_density(brine.pressure, temperature, brine.salinity) * gravity * height / pascals_per_bar;
    const double compressibility = brine_compressibility(brine.pressure, temperature, brine.salinity);
    return weight * (1.0 + compressibility * (pressure - brine.pressure + 0.5 * weight));
}

}  // namespace

std::vector<double> pressures_of_warm_brine(const WarmBrine& brine, std::span<const double> below) {
    constexpr double height = 5.0;  // of a step [m]
    std::vector<double> at_steps = {brine.pressure};
    std::vector<double> pressures;
    for (const double depth : below) {
        const auto steps = static_cast<std::size_t>(std::max(depth, 0.0) / height);
        while (at_steps.size() <= steps) {
            const double from = height * static_cast<double>(at_steps.size() - 1);
            at_steps.push_back(at_steps.back() + added_by_step(brine, at_steps.back(), from, height));
        }
        const double from = height * static_cast<double>(steps);
        pressures.push_back(at_steps[steps] + added_by_step(brine, at_steps[steps], from, depth - from));
    }
    return pressures;
}

double hydrostatic_depth(double pressure, double temperature) {
    return std::max(0.0, pressure - atmosphere) * pascals_per_bar / (water_density(pressure, temperature) * gravity);
}

double brine_compressibility(double pressure, double temperature, double salinity, double span) {
    const double density = brine_density(pressure, temperature, salinity);
    return (brine_density(pressure + span, temperature, salinity) - density) / (span * density);
}

FluidSlopes brine_compressibility_slopes(double pressure, double temperature, double salinity, double span) {
    const double low = brine_density(pressure, temperature, salinity);
    const double high = brine_density(pressure + span, temperature, salinity);
    const FluidSlopes at_low = brine_density_slopes(pressure, temperature, salinity);
    const FluidSlopes at_high = brine_density_slopes(pressure + span, temperature, salinity);
    const double factor = 1.0 / (span * low);
    const double ratio = high / low;
    return {factor * (at_high.pressure - ratio * at_low.pressure),
            factor * (at_high.temperature - ratio * at_low.temperature),
            factor * (at_high.salinity - ratio * at_low.salinity)};
}

double dissolved_co2_density(double temperature) {
    const double t = temperature;
    constexpr double molar_mass = 44.0095;                                                       // [g/mol]
    const double molar_volume = 37.51 - 9.585e-2 * t + 8.740e-4 * t * t - 5.044e-7 * t * t * t;  // [cm3/mol]
    return 1e3 * molar_mass / molar_volume;
}

// Equation (22) in docs/physics.md: c CO2 per volume replaces c / rho of brine, with
// 1 / rho = (1 - rho_w / rho_b (1 - rho_w / rho_d)) / rho_b.
double dissolved_co2_density(double pressure, double temperature, double salinity) {
    const double water = water_density(pressure, temperature), brine = brine_density(pressure, temperature, salinity);
    return brine / (1.0 - water / brine * (1.0 - water / dissolved_co2_density(temperature)));
}

namespace {

/// Equation (16) in docs/physics.md, Batzle and Wang 1992, eq. 32: the viscosity is 0.1 + 0.333 S + factor exp(-decay
/// T^0.8).
struct ViscosityLaw {
    double factor, decay;
    explicit ViscosityLaw(double salinity) : factor(1.65 + 91.9 * salinity * salinity * salinity) {
        const double root = std::pow(salinity, 0.8) - 0.17;
        decay = 0.42 * root * root + 0.045;
    }
    double exponential(double temperature) const { return factor * std::exp(-decay * std::pow(temperature, 0.8)); }
};

}  // namespace

double brine_viscosity(double temperature, double salinity) {
    return 0.1 + 0.333 * salinity + ViscosityLaw(salinity).exponential(temperature);
}

BrineViscositySlopes brine_viscosity_slopes(double temperature, double salinity) {
    const ViscosityLaw law(salinity);
    const double exponential = law.exponential(temperature);
    // S^0.8 has no slope at 0.
    const double s = std::max(salinity, least_salinity_with_slope);
    const double by_decay = 2.0 * 0.42 * (std::pow(s, 0.8) - 0.17) * 0.8 * std::pow(s, -0.2);
    return {-0.8 * law.decay * std::pow(temperature, -0.2) * exponential,
            0.333 + exponential * (3.0 * 91.9 * s * s / law.factor - std::pow(temperature, 0.8) * by_decay)};
}

}  // namespace plumecast
