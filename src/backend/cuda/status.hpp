#pragma once

#include <cuda_runtime_api.h>

namespace plumecast::cuda {

/// Throws DeviceError "ACTION failed (CUDA: why); what to do" unless the call succeeded. Kernels and copies run later
/// than they are called, so the failure of one may be reported by a call after it.
void check(cudaError_t status, const char* action);

}  // namespace plumecast::cuda
