#pragma once

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {

/// Adjoint of RadialConnections, equations (1) to (3) in docs/physics.md: adds the derivatives by permeabilities,
/// porosity and perforation to `gradient`, from the cotangents of connections and pore volumes.
void add_connection_cotangents(const RadialCase& radial, const RadialConnections& connections,
                               const RadialConnections& cotangents, RadialCaseGradient& gradient);

/// Adjoint of perforation_depth().
void add_depth_cotangent(const RadialCase& radial, double cotangent, RadialCaseGradient& gradient);

}  // namespace plumecast
