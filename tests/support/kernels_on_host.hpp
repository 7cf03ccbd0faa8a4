#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/dnn/functions.hpp"
#include "backend/cuda/fft/functions.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "support/counted_memory.hpp"

namespace plumecast::testing {

/// Runs the kernels of the CUDA backend as loops on the host (cuda::KernelBackend says what an executor is). Every
/// allocation stands alone, so the address sanitizer sees an index that strays.
class HostExecutor {
   public:
    explicit HostExecutor(std::unique_ptr<CountedMemory> memory) : memory_(std::move(memory)) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        cuda::with_position_type(count, kernel, [&]<class Position>() {
            for (Position i = 0; i < static_cast<Position>(count); ++i) {
                kernel(i);
            }
        });
    }
    void copy_in(const void* host, void* device, std::size_t bytes) { copy_out(host, device, bytes); }
    void copy_out(const void* device, void* host, std::size_t bytes) {
        if (bytes > 0) {  // nothing may lie nowhere
            std::memcpy(host, device, bytes);
        }
    }

    MemoryResource& memory() { return *memory_; }
    std::size_t peak_bytes() const { return memory_->peak_bytes(); }
    void reset_peak_bytes() { memory_->reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return memory_->capacity_bytes(); }

   private:
    std::unique_ptr<CountedMemory> memory_;
};

/// The ops of the CUDA backend as far as they are kernels of our own, on the host. With functions in the place of
/// cuFFT's and cuDNN's, spectral transforms and convolutions go through them wherever they can.
std::unique_ptr<Backend> make_kernels_on_host(std::unique_ptr<CountedMemory> memory = std::make_unique<CountedMemory>(),
                                              Precision precision = Precision::fp32,
                                              std::unique_ptr<cuda::FftFunctions> fft = nullptr,
                                              std::unique_ptr<cuda::DnnFunctions> dnn = nullptr);

}  // namespace plumecast::testing
