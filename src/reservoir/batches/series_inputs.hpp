#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// Derivatives of a number by inputs of one case as the data set holds them: maps [space...], scalars [1], rates [W,
/// P].
using CaseCotangents = std::map<std::string, std::vector<double>, std::less<>>;

/// Least root mean square of the build-up at a time, as a share of that over all times: a well that has not begun makes
/// none.
inline constexpr double least_share_of_rms = 1e-3;

/// A source of Variation::series at the snapshots of a case [T]:
/// current_injection_rate [Mt/year], of all wells in the period that the time lies in or ends;
/// injected_co2 [Mt], of all wells until then;
/// time_since_rate_change [day], since the start of that period, neighbours of equal rates being one;
/// physics_buildup_rms_by_time [bar], over the active cells, at least 1e-3 of physics_buildup_rms.
/// Throws InvalidInput for another name.
std::vector<double> series_input(const Dataset& dataset, std::string_view name, std::int64_t which,
                                 const PhysicsFields* physics);

/// Adds to `inputs` the derivatives of a series of the schedule with cotangents [T]; those of the physics are not for
/// here.
void add_series_cotangents(const Dataset& dataset, std::string_view name, std::span<const double> cotangents,
                           CaseCotangents& inputs);

/// Cotangents of the build-up [T, Z, R] and of physics_buildup_rms that cotangents [T] of physics_buildup_rms_by_time
/// are.
struct BuildupCotangents {
    std::vector<double> field;
    double rms = 0.0;
};
BuildupCotangents buildup_cotangents(const Dataset& dataset, std::int64_t which, std::span<const double> cotangents,
                                     const PhysicsFields& physics);

}  // namespace plumecast
