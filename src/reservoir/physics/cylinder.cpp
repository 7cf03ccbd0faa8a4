#include "reservoir/physics/cylinder.hpp"

#include <cmath>
#include <numbers>

namespace plumecast::cylinder {

// In steady radial flow p = p(inner) + c ln(r / inner). Its mean over the volume of the ring is
// p(inner) + c (b / (b - a) ln(outer / inner) - 1/2), with a and b the squares of the radii.
double Ring::area() const { return std::numbers::pi * (outer * outer - inner * inner); }

double Ring::inner_distance() const {
    const double a = inner * inner;
    const double b = outer * outer;
    return b / (b - a) * std::log(outer / inner) - 0.5;
}

double Ring::outer_distance() const {
    const double a = inner * inner;
    const double b = outer * outer;
    return 0.5 - a / (b - a) * std::log(outer / inner);
}

double radial_transmissibility(const Ring& ring, double permeability, const Ring& next, double next_permeability,
                               double dz) {
    return 2.0 * std::numbers::pi * darcy * dz /
           (ring.outer_distance() / permeability + next.inner_distance() / next_permeability);
}

double vertical_transmissibility(const Ring& ring, double dz, double permeability, double dz_below,
                                 double permeability_below) {
    return darcy * ring.area() / (0.5 * dz / permeability + 0.5 * dz_below / permeability_below);
}

double well_connection_factor(const Ring& ring, double permeability, double dz) {
    return 2.0 * std::numbers::pi * darcy * dz * permeability / ring.inner_distance();
}

}  // namespace plumecast::cylinder
