#pragma once

#include <string>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// What the physics of all cases of a data set depends on, as a text to which the fingerprint of a case is added.
std::string shared_key_of(const Dataset& dataset, const PhysicsSettings& settings);

}  // namespace plumecast
