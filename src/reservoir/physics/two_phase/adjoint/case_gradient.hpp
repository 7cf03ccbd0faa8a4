#pragma once

#include <string>

#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

#include "reservoir/physics/two_phase/adjoint/simulation_cotangents.hpp"
#include "reservoir/physics/two_phase/planned_steps.hpp"

namespace plumecast::two_phase {

/// What two_phase_gradient() gives with smooth slopes of the table of CO2; with piecewise ones it is the derivative of
/// the discrete equations to the last digit, which no change of inputs that takes a cell across a row follows.
RadialCaseGradient case_gradient(const RadialCase& radial, const StepCount& count, PhysicsCotangents cotangents,
                                 const std::string& name, TableSlopes slopes);

}  // namespace plumecast::two_phase
