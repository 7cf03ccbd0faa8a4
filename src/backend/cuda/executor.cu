#include "backend/cuda/executor.hpp"

#include <string>

#include <plumecast/backend/cuda.hpp>

namespace plumecast::cuda {
namespace {

/// The number of a device that can be used, made current.
int usable(int device) {
    const std::string obstacle = cuda_obstacle(device);
    if (!obstacle.empty()) {
        throw DeviceError(obstacle);
    }
    check(cudaSetDevice(device), "choosing the device");
    return device;
}

/// The libraries take memory of their own besides: code, and workspaces of convolutions.
std::size_t nearly_all_free() {
    constexpr std::size_t least_rest = std::size_t{768} << 20, granule = std::size_t{2} << 20;
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free device memory");
    const std::size_t rest = std::max(least_rest, free / 16);
    if (free <= rest) {
        throw DeviceError("only " + std::to_string(free >> 20) + " MiB of device memory are free (at least " +
                          std::to_string(rest >> 20) +
                          " are needed); end other programs on the device or choose another with --device cuda:N");
    }
    return (free - rest) / granule * granule;
}

}  // namespace

DeviceExecutor::DeviceExecutor(int device, std::size_t memory_bytes)
    : device_(usable(device)),
      stream_(make_stream()),
      capacity_(memory_bytes != 0 ? memory_bytes : nearly_all_free()),
      block_(make_device_block(capacity_)),
      arena_(block_.get(), capacity_) {}

cudaStream_t DeviceExecutor::stream() const {
    check(cudaSetDevice(device_), "choosing the device");
    return stream_.get();
}

}  // namespace plumecast::cuda
