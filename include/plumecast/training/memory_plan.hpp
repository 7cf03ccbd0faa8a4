#pragma once

#include <cstddef>

#include <plumecast/training/field_network.hpp>

namespace plumecast {

/// Bytes that a computation will hold at once, found by running it on a backend that only counts.
struct MemoryPlan {
    std::size_t weights = 0;    ///< parameters and buffers
    std::size_t training = 0;   ///< a whole training step, with gradients and both moments
    std::size_t inference = 0;  ///< a forward pass
};

/// Plan for batches of `batch` cases of extents [Z, R, T]. Throws InvalidInput when the network does not fit the grid.
MemoryPlan plan_memory(const NetworkDescription& description, const Shape& extents, std::int64_t batch);

/// Physical memory of this machine in bytes.
std::size_t host_memory_size();

/// Throws DeviceError naming need, have and the remedy unless `needed` bytes fit the host's memory.
void require_memory(std::size_t needed, std::int64_t batch);

}  // namespace plumecast
