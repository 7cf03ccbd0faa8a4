#pragma once

#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {

/// Pore volume within the middle of each ring, all rows together [R], and within its outer edge.
struct PoresWithin {
    std::vector<double> middle;
    std::vector<double> edge;

    PoresWithin(const RadialCase& radial, const RadialConnections& connections);
};

/// Adjoint of PoresWithin: cotangents of the pore volume of each ring [R] from those of the volumes within.
std::vector<double> ring_cotangents(const RadialCase& radial, const PoresWithin& within);

/// Share of the height below the cap rock that the injected fluid has taken, where `filled` is the mobile pore volume
/// within the radius over the injected volume: equation (6) in docs/physics.md, Nordbotten and Celia (2006).
double front_height(double filled, double mobility_ratio);

/// Its derivatives; 0 where it is 0 or 1.
struct FrontSlopes {
    double filled = 0.0;
    double mobility_ratio = 0.0;
};
FrontSlopes front_height_slopes(double filled, double mobility_ratio);

}  // namespace plumecast
