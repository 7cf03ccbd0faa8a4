#pragma once

#include <plumecast/reservoir/physics/single_phase/single_phase_gradient.hpp>

#include "reservoir/physics/two_phase/adjoint/simulation_weights.hpp"

namespace plumecast::two_phase {

/// Adds what weights of the constants of a simulation ask of the inputs of its case.
void add_input_weights(const RadialCase& radial, const Simulation& simulation, const SimulationWeights& weights,
                       RadialCaseGradient& gradient);

}  // namespace plumecast::two_phase
