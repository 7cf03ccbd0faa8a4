#pragma once

#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// The derivatives of the weighted sum of the fields of two_phase_fields(), the scalars and the series by the inputs of
/// the case: those of the discrete equations, by the adjoint of every time step that was taken, whose transport is
/// solved to 1e-11. Step lengths, upstream sides and open rows of the well stay what they are; the slope of the density
/// of CO2, which jumps at the rows of its table, changes as it does over several rows. Where nothing is injected, at
/// all or in a period of the schedule, the derivative by the rate is that at 1e-6 Mt/year. Expects a case that
/// RadialCase::check() has passed; throws InvalidInput for a cotangent of another name or count, and NotConverged as
/// two_phase_fields() does.
RadialCaseGradient two_phase_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                      const std::string& name = "the case");

}  // namespace plumecast
