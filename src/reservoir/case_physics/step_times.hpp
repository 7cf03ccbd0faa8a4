#pragma once

#include <vector>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Snapshots and the times of `others` up to the last of them, but for those within 1 % of a snapshot.
std::vector<double> with_step_times(const std::vector<double>& snapshots, const std::vector<double>& others);

/// The fields [T, ...] of `physics` at `times` as they are at `snapshots`, which are among them.
PhysicsFields at_snapshots(PhysicsFields physics, const std::vector<double>& times,
                           const std::vector<double>& snapshots);

/// Times that are in one of two or in both, increasing.
std::vector<double> joined_times(const std::vector<double>& first, const std::vector<double>& second);

/// Whether means over the times of a run count day 0: of boxes they do, of radial cases not.
enum class Start : std::uint8_t { counted, left_out };

/// at_snapshots() of a run whose steps do not follow its times, with the scalars that it would have had at the
/// `snapshots` alone.
PhysicsFields with_scalars_at(const PhysicsFields& physics, const std::vector<double>& times,
                              const std::vector<double>& snapshots, Start start);

/// The other way round: values [T, ...] at `snapshots` among 0 at the other `times`.
std::vector<double> from_snapshots(const std::vector<double>& values, const std::vector<double>& snapshots,
                                   const std::vector<double>& times);

}  // namespace plumecast
