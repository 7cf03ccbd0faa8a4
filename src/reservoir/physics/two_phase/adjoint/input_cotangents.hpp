#pragma once

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"

namespace plumecast::two_phase {

/// Adjoint of the constants of a simulation: adds the derivatives by the inputs of its case to `gradient`.
void add_input_cotangents(const RadialCase& radial, const Simulation& simulation,
                          const SimulationCotangents& cotangents, RadialCaseGradient& gradient);

}  // namespace plumecast::two_phase
