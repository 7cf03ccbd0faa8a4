#include "reservoir/physics/co2_solubility.hpp"

#include <cmath>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"

namespace plumecast {
namespace {

constexpr double gas_constant = 83.1447;  // [bar cm3 / (mol K)]
constexpr double co2_mass = 44.01;        // [g/mol]
constexpr double water_mass = 18.015;
constexpr double molality = 55.508;  // mol of water in a kilogram

/// A component of the mixture in the equation of Redlich and Kwong; CO2 alone makes the phase.
struct Component {
    double attraction;  // [bar cm6 K^0.5 / mol2]
    double volume;      // [cm3/mol]
};

/// The CO2-rich phase at one state.
struct Phase {
    double pressure;  // [bar]
    double kelvin;
    Component co2;
    double molar_volume;  // [cm3/mol]

    Phase(double bar, double temperature, double density)
        : pressure(bar),
          kelvin(temperature + 273.15),
          co2{7.54e7 - 4.13e4 * kelvin, 27.8},
          molar_volume(1e3 * co2_mass / density) {}

    /// Fugacity coefficient of a component, `of.attraction` that between it and CO2 (Spycher et al. 2003, eq. 8).
    double fugacity(const Component& of) const {
        const double v = molar_volume, b = co2.volume;
        const double rt = gas_constant * std::pow(kelvin, 1.5);
        const double around = std::log((v + b) / v);
        return std::exp(std::log(v / (v - b)) + of.volume / (v - b) - 2.0 * of.attraction / (rt * b) * around +
                        co2.attraction * of.volume / (rt * b * b) * (around - b / (v + b)) -
                        std::log(pressure * v / (gas_constant * kelvin)));
    }
};

/// Activity coefficient of CO2 in a solution of NaCl after Duan and Sun (2003), as Spycher and Pruess (2005) use it:
/// its logarithm is 2 lambda m + xi m^2, m the molality of the salt.
struct SaltingOut {
    double lambda, xi;

    SaltingOut(double bar, double temperature) {
        const double t = temperature + 273.15, p = bar;
        lambda = -0.411370585 + 6.07632013e-4 * t + 97.5347708 / t - 0.0237622469 * p / t +
                 0.0170656236 * p / (630.0 - t) + 1.41335834e-5 * t * std::log(p);
        xi = 3.36389723e-4 - 1.98298980e-5 * t + 2.12220830e-3 * p / t - 5.24873303e-3 * p / (630.0 - t);
    }
    double logarithm(double salt) const { return (2.0 * lambda + xi * salt) * salt; }
};

double solubility_in_water(double pressure, double temperature, double density) {
    const double t = temperature;
    const Phase phase(pressure, t, density);
    const Component water{7.89e7, 18.18};
    const double water_constant = std::pow(10.0, -2.209 + 3.097e-2 * t - 1.098e-4 * t * t + 2.048e-7 * t * t * t);
    const double co2_constant = std::pow(10.0, 1.189 + 1.304e-2 * t - 5.446e-5 * t * t);
    const double rt = gas_constant * phase.kelvin;
    const double a = water_constant / (phase.fugacity(water) * pressure) * std::exp((pressure - 1.0) * 18.1 / rt);
    const double b =
        phase.fugacity(phase.co2) * pressure / (molality * co2_constant) * std::exp(-(pressure - 1.0) * 32.6 / rt);
    const double water_in_gas = (1.0 - b) / (1.0 / a - b);
    const double mole_fraction = b * (1.0 - water_in_gas);
    return mole_fraction * co2_mass / (mole_fraction * co2_mass + (1.0 - mole_fraction) * water_mass);
}

}  // namespace

double co2_solubility(double pressure, double temperature, double salinity) {
    return co2_solubility(pressure, temperature, salinity, co2_density(pressure, temperature));
}

// Equation (17) in docs/physics.md: salt lowers the CO2 per kilogram of water by its activity coefficient; of a
// kilogram of brine 1 - S is water.
double co2_solubility(double pressure, double temperature, double salinity, double density) {
    const double fraction = solubility_in_water(pressure, temperature, density);
    if (salinity <= 0.0) {
        return fraction;
    }
    const double activity = std::exp(SaltingOut(pressure, temperature).logarithm(molality_of(salinity)));
    const double per_brine = fraction / (1.0 - fraction) / activity * (1.0 - salinity);
    return per_brine / (1.0 + per_brine);
}

}  // namespace plumecast
