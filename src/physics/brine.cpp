#include <plumecast/physics/brine.hpp>

#include <algorithm>
#include <cmath>

namespace plumecast {
namespace {

constexpr double pascal_per_bar = 1e5;
constexpr double gravity = 9.80665;     // [m/s2]
constexpr double atmosphere = 1.01325;  // [bar]

}  // namespace

double water_density(double pressure, double temperature) {
    const double p = 0.1 * pressure;  // [MPa]
    const double t = temperature;
    return 1000.0 + 1e-3 * (-80.0 * t - 3.3 * t * t + 0.00175 * t * t * t + 489.0 * p - 2.0 * t * p +
                            0.016 * t * t * p - 1.3e-5 * t * t * t * p - 0.333 * p * p - 0.002 * t * p * p);
}

double hydrostatic_pressure(double pressure, double temperature, double below) {
    return pressure + water_density(pressure, temperature) * gravity * below / pascal_per_bar;
}

double hydrostatic_depth(double pressure, double temperature) {
    return std::max(0.0, pressure - atmosphere) * pascal_per_bar / (water_density(pressure, temperature) * gravity);
}

double water_compressibility(double pressure, double temperature) {
    constexpr double step = 50.0;  // [bar]
    const double density = water_density(pressure, temperature);
    return (water_density(pressure + step, temperature) - density) / (step * density);
}

double water_viscosity(double temperature) {
    // 0.42 (S^0.8 - 0.17)^2 + 0.045 at the salinity S = 0.
    constexpr double salt = 0.42 * 0.17 * 0.17 + 0.045;
    return 0.1 + 1.65 * std::exp(-salt * std::pow(temperature, 0.8));
}

}  // namespace plumecast
