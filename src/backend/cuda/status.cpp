#include "backend/cuda/status.hpp"

#include <string>

#include <plumecast/core/error.hpp>

#include "backend/cuda/vendor/refusal.hpp"

namespace plumecast::cuda {
namespace {

const char* remedy(cudaError_t status) {
    switch (status) {
        case cudaErrorMemoryAllocation:
            return "use a smaller batch or network, or end other programs on the device";
        case cudaErrorDevicesUnavailable:
            return "wait for the program that holds the device, or choose another device";
        case cudaErrorNoKernelImageForDevice:
            return "build with this device among CMAKE_CUDA_ARCHITECTURES";
        case cudaErrorInsufficientDriver:
        case cudaErrorSystemDriverMismatch:
            return "update the NVIDIA driver";
        default:
            return "look at the device with nvidia-smi; if it is well, please report this, with the output of a run "
                   "under CUDA_LAUNCH_BLOCKING=1";
    }
}

}  // namespace

void check(cudaError_t status, const char* action) {
    if (status != cudaSuccess) {
        cudaGetLastError();  // else the check after the next launch would report this failure again
        const std::string problem = std::string(action) + " failed (CUDA: " + cudaGetErrorString(status) + ", " +
                                    cudaGetErrorName(status) + "); " + remedy(status);
        throw_failure(problem, status == cudaErrorMemoryAllocation);
    }
}

}  // namespace plumecast::cuda
