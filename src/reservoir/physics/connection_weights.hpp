#pragma once

#include <plumecast/reservoir/physics/radial_connections.hpp>
#include <plumecast/reservoir/physics/single_phase/single_phase_gradient.hpp>

namespace plumecast {

/// Adds the derivatives of a sum by permeabilities, porosity and perforation, whose derivatives by the connections and
/// pore volumes of the case are `weights`.
void add_connection_weights(const RadialCase& radial, const RadialConnections& connections,
                            const RadialConnections& weights, RadialCaseGradient& gradient);

/// The same for perforation_depth() with a weight.
void add_depth_weight(const RadialCase& radial, double weight, RadialCaseGradient& gradient);

}  // namespace plumecast
