#pragma once

#include <cstddef>
#include <cstdint>

#include <plumecast/inference/field_network.hpp>

namespace plumecast {

/// What predictions hold on one rank, in bytes.
struct InferencePlan {
    std::size_t weights = 0;   ///< with the matrices of the spectral transforms
    std::size_t per_case = 0;  ///< more for each case of a batch
};

/// Plan of predictions of cases of extents [Z, R, T], on the CPU with so many threads (0: all). Throws InvalidInput
/// when the network does not fit the grid.
InferencePlan plan_inference(const NetworkDescription& description, const Shape& extents,
                             Precision precision = Precision::fp32, PlannedDevice device = PlannedDevice::cpu,
                             int threads = 0, SpectralWay spectral = SpectralWay::automatic);

/// Bytes of memory that this process may use: all that the machine has, or what its container, job or limits allow.
std::size_t host_memory_size();

/// Throws OutOfMemory naming need, have and the remedy unless `needed` bytes fit into those `present`.
void require_memory(std::size_t needed, std::int64_t batch, std::size_t present = host_memory_size());

}  // namespace plumecast
