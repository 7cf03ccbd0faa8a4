#pragma once

#include <cstddef>

namespace plumecast::cuda {

/// What a process wants of a device's memory, as CudaOptions have it.
struct WantedMemory {
    std::size_t bytes = 0;
    double share = 0.0;
    int processes = 1;
};

/// Bytes that a process takes of a device with so many in all, of which so many are free. So many bytes or such a share
/// of all, where one is wanted. Else as much as is free, of several processes at most an equal part of all each,
/// whichever comes first; less a sixteenth, at least 768 MiB, for what libraries take besides: code, and workspaces.
/// Throws InvalidInput for what is no share, and OutOfMemory where that much is not free.
std::size_t memory_part(const WantedMemory& wanted, std::size_t free, std::size_t all);

}  // namespace plumecast::cuda
