#include "inference/inference_plan.hpp"

#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>

#include "core/machine/memory_limit.hpp"
#include "inference/planned_rank.hpp"

namespace plumecast {

InferencePlan plan_inference(const NetworkDescription& description, const Shape& extents, Precision precision,
                             PlannedDevice device, int threads, SpectralWay spectral) {
    std::size_t peaks[2]{};
    for (std::int64_t batch = 1; batch <= 2; ++batch) {
        PlannedRank rank(description, extents, batch, ProcessGrid::planned({}, 0), precision, device, threads,
                         spectral);
        rank.predict();
        peaks[batch - 1] = rank.peak_bytes();
    }
    const std::size_t per_case = peaks[1] > peaks[0] ? peaks[1] - peaks[0] : 0;
    return {peaks[0] - std::min(per_case, peaks[0]), per_case};
}

std::size_t host_memory_size() { return memory_limit().bytes; }

void require_memory(std::size_t needed, std::int64_t batch, std::size_t present) {
    if (needed > present) {
        throw OutOfMemory("batches of " + std::to_string(batch) + " cases need " + std::to_string(needed >> 20) +
                          " MiB (there are " + std::to_string(present >> 20) +
                          " MiB); use a smaller batch_size, width or modes");
    }
}

}  // namespace plumecast
