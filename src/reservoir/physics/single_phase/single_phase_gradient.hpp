#pragma once

#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>

namespace plumecast {

/// The derivatives of the weighted sum of the fields and scalars of single_phase() by the inputs of the case: exact
/// ones of the discrete equations, by the adjoint of every time step, each solved to a relative error of 1e-10. Where a
/// value is kept within limits (time over arrival, front height) it has the derivative 0 at and beyond them. Expects a
/// case that RadialCase::check() has passed; throws InvalidInput for a cotangent of another name or count,
/// NotConverged.
RadialCaseGradient single_phase_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                         const std::string& name = "the case");

}  // namespace plumecast
