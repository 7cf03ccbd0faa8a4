#pragma once

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"

namespace plumecast::two_phase {

/// Adds what a step from `start` to `end` [day] leaves for the rate of injection (SimulationCotangents::mass_rate) to
/// the derivatives by the rates of the periods that it shares, in proportion, or by the one rate.
void add_rate_cotangent(const RadialCase& radial, double start, double end, double mass_rate,
                        RadialCaseGradient& gradient);

/// Adjoint of the other constants of a simulation: adds the derivatives by the inputs of its case to `gradient`.
void add_input_cotangents(const RadialCase& radial, const Simulation& simulation,
                          const SimulationCotangents& cotangents, RadialCaseGradient& gradient);

}  // namespace plumecast::two_phase
