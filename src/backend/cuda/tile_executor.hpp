#pragma once

#include "backend/cuda/block.hpp"
#include "backend/cuda/executor.hpp"

// Only for sources of the CUDA compiler.
namespace plumecast::cuda {

/// A device's executor that also runs kernels written for blocks with shared memory.
class TileExecutor {
   public:
    explicit TileExecutor(DeviceExecutor& device)
        : device_(&device),
          multiprocessors_(attribute(cudaDevAttrMultiProcessorCount)),
          shared_of_block_(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
          shared_of_multiprocessor_(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)),
          reserved_(attribute(cudaDevAttrReservedSharedMemoryPerBlock)) {}

    MemoryResource& memory() { return device_->memory(); }
    int multiprocessors() const { return multiprocessors_; }
    /// What each of so many blocks on a multiprocessor can have.
    int most_shared_bytes(int blocks) const {
        return std::min(shared_of_block_, shared_of_multiprocessor_ / blocks - reserved_);
    }

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        device_->run(count, kernel);
    }
    template <class Kernel>
    void run_blocks(std::int64_t blocks, int shared_bytes, const Kernel& kernel) {
        check(cudaFuncSetAttribute(each_block<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
              "asking for shared memory");
        each_block<<<static_cast<unsigned>(blocks), static_cast<unsigned>(Kernel::threads),
                     static_cast<std::size_t>(shared_bytes), device_->stream()>>>(kernel);
        check(cudaGetLastError(), "starting a kernel");
    }

   private:
    int attribute(cudaDeviceAttr which) const {
        int value = 0;
        check(cudaDeviceGetAttribute(&value, which, device_->device()), "asking for what the device can do");
        return value;
    }

    DeviceExecutor* device_;
    int multiprocessors_, shared_of_block_, shared_of_multiprocessor_, reserved_;
};

}  // namespace plumecast::cuda
