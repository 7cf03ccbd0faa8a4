#include "inference/batch_size.hpp"

#include <algorithm>

#include <plumecast/inference/inference_plan.hpp>

namespace plumecast {

std::int64_t fitting_batch(const FieldNetwork& network, const Shape& extents, std::int64_t most) {
    Backend& backend = network.backend();
    backend.reset_peak_bytes();
    const std::size_t used = std::min(backend.peak_bytes(), backend.capacity_bytes());
    const bool narrow = backend.field_type() == DType::bfloat16;
    const InferencePlan plan =
        plan_inference(network.description(), extents, narrow ? Precision::bf16 : Precision::fp32,
                       backend.shares_host_memory() ? PlannedDevice::cpu : PlannedDevice::cuda);
    // Half of what is free: two batches are under way at once, and on the host others need memory too.
    const std::size_t budget = (backend.capacity_bytes() - used) / 2;
    const std::size_t fitting = budget / std::max<std::size_t>(plan.per_case, 1);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min<std::size_t>(fitting, 1 << 20)), 1,
                                    std::max<std::int64_t>(most, 1));
}

std::int64_t automatic_batch(const FieldNetwork& network, const Shape& extents, std::int64_t cases, bool is_alone) {
    constexpr std::int64_t most = 16, usual = 4;
    return is_alone ? fitting_batch(network, extents, std::min(cases, most)) : usual;
}

}  // namespace plumecast
