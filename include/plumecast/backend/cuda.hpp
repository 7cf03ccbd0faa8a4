#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/log.hpp>

namespace plumecast {

/// What make_cuda_backend() takes.
struct CudaOptions {
    /// Number of the device, from 0.
    int device = 0;
    Precision precision = Precision::fp32;
    /// Device memory to take for tensors [bytes]; 0 takes nearly all that is free.
    std::size_t memory_bytes = 0;
    SpectralWay spectral = SpectralWay::automatic;
    LogSink log{};  ///< hears what makes work slower than it could be; may be empty
};

/// The CUDA backend: cuBLASLt, cuFFT, cuDNN and kernels of our own, on one device. Work that is repeated is recorded as
/// a CUDA graph; PLUMECAST_CUDA_GRAPHS=off starts it step by step. Throws NotBuilt when the build leaves it out and
/// DeviceError, with the remedy, when the device cannot be used.
std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options = {});

/// Why make_cuda_backend() could not use a device, in the words of its error; empty when it could.
std::string cuda_obstacle(int device = 0);

}  // namespace plumecast
