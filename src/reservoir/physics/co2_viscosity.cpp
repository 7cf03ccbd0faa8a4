#include "reservoir/physics/co2_viscosity.hpp"

#include <cmath>

#include "reservoir/physics/fluid_slopes.hpp"

namespace plumecast {
namespace {

constexpr double energy = 251.196;  // [K]

}  // namespace

// A. Fenghour, W. A. Wakeham, V. Vesovic, J. Phys. Chem. Ref. Data 27 (1998) 31-44: eqs. 3, 4 and 8, in uPa s.
double co2_viscosity(double density, double temperature) {
    const double kelvin = temperature + 273.15;
    const double reduced = kelvin / energy;
    const double l = std::log(reduced);
    const double cross_section = std::exp(0.235156 - 0.491266 * l + 5.211155e-2 * std::pow(l, 2) +
                                          5.347906e-2 * std::pow(l, 3) - 1.537102e-2 * std::pow(l, 4));
    const double dilute = 1.00697 * std::sqrt(kelvin) / cross_section;
    const double dense = 0.4071119e-2 * density + 0.7198037e-4 * std::pow(density, 2) +
                         0.2411697e-16 * std::pow(density, 6) / std::pow(reduced, 3) +
                         0.2971072e-22 * std::pow(density, 8) - 0.1627888e-22 * std::pow(density, 8) / reduced;
    return 1e-3 * (dilute + dense);
}

Co2ViscositySlopes co2_viscosity_slopes(double density, double temperature) {
    const double kelvin = temperature + 273.15;
    const double reduced = kelvin / energy;
    const double l = std::log(reduced);
    const double dilute = 1e3 * co2_viscosity(0.0, temperature);
    const double exponent_slope =
        -0.491266 + 2.0 * 5.211155e-2 * l + 3.0 * 5.347906e-2 * std::pow(l, 2) - 4.0 * 1.537102e-2 * std::pow(l, 3);
    const double by_density = 0.4071119e-2 + 2.0 * 0.7198037e-4 * density +
                              6.0 * 0.2411697e-16 * std::pow(density, 5) / std::pow(reduced, 3) +
                              8.0 * std::pow(density, 7) * (0.2971072e-22 - 0.1627888e-22 / reduced);
    const double by_reduced = -3.0 * 0.2411697e-16 * std::pow(density, 6) / std::pow(reduced, 4) +
                              0.1627888e-22 * std::pow(density, 8) / (reduced * reduced);
    return {1e-3 * by_density, 1e-3 * (dilute * (0.5 - exponent_slope) / kelvin + by_reduced / energy)};
}

}  // namespace plumecast
