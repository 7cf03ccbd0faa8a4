#pragma once

#include <cstdint>

#include "inference/prediction/latest_plans.hpp"

namespace plumecast {

/// Cases at once where the user leaves it open and nothing tells how many fit.
inline constexpr std::int64_t usual_batch = 4;

/// Throws InvalidInput for a negative number of cases at once; 0 leaves it open.
void require_batch(std::int64_t batch);

/// Of the network of the plans: most cases of extents [space..., T] whose prediction fits beside what the backend's
/// memory holds now, from 1 to `most`, as far as the memory plan tells.
std::int64_t fitting_batch(LatestPlans& plans, const Shape& extents, std::int64_t most);

/// Cases at once where the user leaves it open: as many as fit, up to 16, on a processor one for each of its threads.
/// Ranks must agree, so where one is not alone they take the usual number.
std::int64_t automatic_batch(LatestPlans& plans, const Shape& extents, std::int64_t cases, bool is_alone);

}  // namespace plumecast
