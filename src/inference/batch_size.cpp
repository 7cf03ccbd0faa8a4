#include "inference/batch_size.hpp"

#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

void require_batch(std::int64_t batch) {
    if (batch < 0) {
        throw InvalidInput("batch is " + std::to_string(batch) +
                           " (it counts cases; 0 takes as many as seem to fit); give 0 or more");
    }
}

std::int64_t fitting_batch(LatestPlans& plans, const Shape& extents, std::int64_t most) {
    if (most <= 1) {
        return 1;
    }
    Backend& backend = plans.network().backend();
    backend.reset_peak_bytes();
    const std::size_t used = std::min(backend.peak_bytes(), backend.capacity_bytes());
    const InferencePlan plan = plans.memory(extents);
    // Half of what is free: two batches are under way at once, and on the host others need memory too.
    const std::size_t budget = (backend.capacity_bytes() - used) / 2;
    const std::size_t fitting = budget / std::max<std::size_t>(plan.per_case, 1);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min<std::size_t>(fitting, 1 << 20)), 1, most);
}

std::int64_t automatic_batch(LatestPlans& plans, const Shape& extents, std::int64_t cases, bool is_alone) {
    constexpr std::int64_t most = 16;
    if (!is_alone) {
        return usual_batch;
    }
    // A case for each thread keeps a processor busy; more only leave its caches and touch more memory.
    const Backend& backend = plans.network().backend();
    const std::int64_t useful =
        backend.shares_host_memory() ? std::min<std::int64_t>(backend.host_threads(), most) : most;
    return fitting_batch(plans, extents, std::min(cases, useful));
}

}  // namespace plumecast
