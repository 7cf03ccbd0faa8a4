#pragma once

#include <cuda_runtime_api.h>

namespace plumecast::cuda {

/// Throws "ACTION failed (CUDA: why); what to do" unless the call succeeded: OutOfMemory where memory ran out, which a
/// smaller batch may mend, DeviceError for all else. Kernels and copies run later
/// than they are called, so the failure of one may be reported by a call after it.
void check(cudaError_t status, const char* action);

}  // namespace plumecast::cuda
