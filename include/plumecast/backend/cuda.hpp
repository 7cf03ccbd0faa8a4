#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <plumecast/backend/backend.hpp>

namespace plumecast {

/// What make_cuda_backend() takes.
struct CudaOptions {
    /// Number of the device, from 0.
    int device = 0;
    Precision precision = Precision::fp32;
    /// Device memory to take for tensors [bytes]; 0 takes nearly all that is free.
    std::size_t memory_bytes = 0;
};

/// The CUDA backend: cuBLASLt, cuDNN and kernels of our own, on one device. Throws NotBuilt when the build leaves it
/// out and DeviceError, with the remedy, when the device cannot be used.
std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options = {});

/// Why make_cuda_backend() could not use a device, in the words of its error; empty when it could.
std::string cuda_obstacle(int device = 0);

}  // namespace plumecast
