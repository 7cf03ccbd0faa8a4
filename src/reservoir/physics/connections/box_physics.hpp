#pragma once

#include <string>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/box_case.hpp"

namespace plumecast {

/// Raised where the same settings give other fields of a box than before, beyond rounding, so that fields kept in files
/// are not taken for them.
inline constexpr int box_physics_revision = 3;

/// The physics of a box (docs/physics.md): fields, [T, Z, Y, X], and pressures at the bottom of the wells. `name`
/// begins every message. The same bits for the same case. At time 0, which may be the first of several, nothing has
/// changed. Throws InvalidInput for a case that cannot be computed or an old version, and NotConverged.
PhysicsFields box_physics(const BoxCase& box, const PhysicsSettings& settings, const std::string& name);

}  // namespace plumecast
