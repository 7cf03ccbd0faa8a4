#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <typeinfo>

#include <plumecast/backend/backend.hpp>

/// The backend of a CUDA device without the device: it takes the memory that the device would, and tells of the
/// kernels.
namespace plumecast::cuda {

/// A kernel that the device is to start.
struct PlannedKernel {
    const std::type_info& type;
    std::int64_t indices;  ///< that it runs over
    bool is_narrow;        ///< counts in 32 bits (NarrowPosition)
};

/// Hears of every kernel in the order of their starts. Where a library does an op on a device, it hears of the kernels
/// that stand for the library.
using KernelObserver = std::function<void(const PlannedKernel&)>;

/// As make_planning_backend(precision, PlannedDevice::cuda, 0, spectral), with somebody who hears of the kernels.
std::unique_ptr<Backend> make_cuda_planner(Precision precision, KernelObserver observer = {},
                                           SpectralWay spectral = SpectralWay::automatic);

}  // namespace plumecast::cuda
