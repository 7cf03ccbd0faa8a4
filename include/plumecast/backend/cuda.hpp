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
    /// Device memory to take for tensors: so many bytes, or a share of all that the device has, from 0 to 1. Where both
    /// are 0, nearly all that is free, and at most an equal part of all for each of `processes`.
    std::size_t memory_bytes = 0;
    double memory_share = 0.0;
    /// Processes of a job that use the device, each with a part of its memory: ranks with one cuda_device_id().
    int processes = 1;
    SpectralWay spectral = SpectralWay::automatic;
    LogSink log{};  ///< hears what makes work slower than it could be; may be empty
};

/// The CUDA backend: cuBLASLt, cuFFT, cuDNN and kernels of our own, on one device. Work that is repeated is recorded as
/// a CUDA graph; PLUMECAST_CUDA_GRAPHS=off starts it step by step. Throws NotBuilt when the build leaves it out and
/// DeviceError, with the remedy, when the device cannot be used.
std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options = {});

/// What tells a device from all others, for every process alike (its UUID); empty where there is none of this number.
std::string cuda_device_id(int device = 0);

/// Why make_cuda_backend() could not use a device, in the words of its error; empty when it could.
std::string cuda_obstacle(int device = 0);

}  // namespace plumecast
