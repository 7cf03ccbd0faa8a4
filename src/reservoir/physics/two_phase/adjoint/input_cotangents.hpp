#pragma once

#include <plumecast/reservoir/physics/single_phase/single_phase_gradient.hpp>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"

namespace plumecast::two_phase {

/// Adjoint of the constants of a simulation: adds the derivatives by the inputs of its case to `gradient`.
void add_input_cotangents(const RadialCase& radial, const Simulation& simulation,
                          const SimulationCotangents& cotangents, RadialCaseGradient& gradient);

}  // namespace plumecast::two_phase
