#pragma once

#include <vector>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// The fields [T, ...] of `physics` at `times` as they are at `snapshots`, which are among them.
PhysicsFields at_snapshots(PhysicsFields physics, const std::vector<double>& times,
                           const std::vector<double>& snapshots);

/// Times that are in one of two or in both, increasing.
std::vector<double> joined_times(const std::vector<double>& first, const std::vector<double>& second);

/// Whether means over the times of a run count day 0: of boxes they do, of radial cases not.
enum class Start : std::uint8_t { counted, left_out };

/// at_snapshots() of a run, with the scalars that it would have had at the `snapshots` alone.
PhysicsFields with_scalars_at(const PhysicsFields& physics, const std::vector<double>& times,
                              const std::vector<double>& snapshots, Start start);

}  // namespace plumecast
