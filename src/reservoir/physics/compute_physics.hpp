#pragma once

#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Computes a case. `name` ("cases.h5: case 7") begins every message. The same bits for the same case wherever and with
/// whatever beside it is computed. At time 0, which may be the first of several, all fields are 0; the scalars are
/// those of the other times. Throws InvalidInput for a case that cannot be computed or an unknown
/// version, and NotConverged.
PhysicsFields reduced_physics(const RadialCase& radial, const PhysicsSettings& settings, const std::string& name);

}  // namespace plumecast
