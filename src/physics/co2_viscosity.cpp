#include <plumecast/physics/co2_viscosity.hpp>

#include <cmath>

namespace plumecast {

// A. Fenghour, W. A. Wakeham, V. Vesovic, J. Phys. Chem. Ref. Data 27 (1998) 31-44: eqs. 3, 4 and 8, in uPa s.
double co2_viscosity(double density, double temperature) {
    constexpr double energy = 251.196;  // [K]
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

}  // namespace plumecast
