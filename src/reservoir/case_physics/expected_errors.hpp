#pragma once

#include <cstdint>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/physics_errors.hpp"

namespace plumecast {

class Dataset;

/// How far the physics of a case is to be trusted, from another computation of it with other time steps; infinite where
/// those lead to pressures without known properties. Throws InvalidData, InvalidInput as radial_case().
PhysicsErrors expected_errors(const Dataset& dataset, std::int64_t which, const PhysicsFields& fields,
                              const PhysicsSettings& settings);

}  // namespace plumecast
