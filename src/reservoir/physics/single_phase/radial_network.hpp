#pragma once

#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// Rows down to the last active one of a cylinder; its rings, eliminated from the outer edge to the well. Then the
/// factorisation of the columns is exact where rows do not exchange fluid, near the well, and where they exchange it
/// fast, far away.
ColumnNetwork radial_network(const RadialCase& radial, const RadialConnections& connections);

/// Volume that the cells of that network store per pressure [m3/bar]; 1 in inactive cells, which nothing flows into.
std::vector<double> radial_capacity(const RadialCase& radial, const RadialConnections& connections,
                                    double compressibility);

}  // namespace plumecast
