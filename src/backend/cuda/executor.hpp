#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/log.hpp>

#include "backend/arena.hpp"
#include "backend/cuda/handles.hpp"
#include "backend/cuda/kernels/indexing/positions.hpp"
#include "backend/cuda/recordings.hpp"
#include "backend/cuda/staging.hpp"
#include "backend/cuda/status.hpp"
#include "backend/cuda/transfers.hpp"

// Only for sources of the CUDA compiler: run() starts kernels.
namespace plumecast::cuda {

/// Calls kernel(i) for every i in [0, count), each on a thread of its own as far as there are threads. A grid constant
/// is read where the launch put it, even through an index; else each thread would copy the whole kernel first.
template <class Position, class Kernel>
__global__ void each_index(Position count, const __grid_constant__ Kernel kernel) {
    const Position threads = static_cast<Position>(gridDim.x) * blockDim.x;
    for (Position i = static_cast<Position>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads) {
        kernel(i);
    }
}

/// Runs kernels and copies on one device, one after the other, and owns the memory of its tensors. For any number of
/// threads: the device does the work in the order in which they start it, so memory that one gives back another may
/// take at once. What a thread records goes to a stream of its own.
class DeviceExecutor {
   public:
    /// Takes what memory_part() says of the device for tensors. Throws DeviceError when the device cannot be used.
    explicit DeviceExecutor(const CudaOptions& options);

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        if (count <= 0) {
            return;
        }
        constexpr std::int64_t threads = 256, most_blocks = std::int64_t{1} << 20;
        const std::int64_t blocks = std::min(most_blocks, (count + threads - 1) / threads);
        with_position_type(count, kernel, [&]<class Position>() {
            each_index<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream()>>>(
                static_cast<Position>(count), kernel);
        });
        check(cudaGetLastError(), "starting a kernel");
    }
    void copy_in(const void* host, void* device, std::size_t bytes) {
        uploads_.copy_in(host, device, bytes, stream_for_host());
    }
    void copy_out(const void* device, void* host, std::size_t bytes) {
        downloads_.copy_out(device, host, bytes, stream_for_host());
    }
    void start_copy_in(const void* host, void* device, std::size_t bytes) {
        transfers_.start_in(host, device, bytes, stream_for_host());
    }
    std::unique_ptr<PendingDownload> start_copy_out(const void* device, void* host, std::size_t bytes) {
        return transfers_.start_out(device, host, bytes, stream_for_host());
    }

    /// Time of one of several runs of work that may be done again, which is done once before. Waits for the device.
    double seconds_of(const std::function<void()>& work);

    /// Work that was started once and can be started again at once: a CUDA graph.
    using Recording = ReadyGraph;
    /// From now on work of the calling thread is noted, not done.
    void start_recording();
    Recording finish_recording();
    void abandon_recording() noexcept;
    void play(const Recording& recording);
    /// Whether the calling thread is.
    bool is_recording() { return recordings_.of_this_thread() != nullptr; }
    const LogSink& log() const { return log_; }

    Arena& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return capacity_; }

    /// The stream of all work, or of what the calling thread records; makes the device current on that thread.
    cudaStream_t stream();
    int device() const { return device_; }

   private:
    /// The stream, for copies, which a recording cannot hold. Throws DeviceError while one is made.
    cudaStream_t stream_for_host();

    int device_;
    LogSink log_;
    Stream stream_;
    Recordings<Stream> recordings_;
    /// As many blocks as a training step uploads arrays: with fewer, the host would wait for one step in the middle of
    /// the uploads for the next.
    Staging uploads_{8};
    Staging downloads_{2};  ///< apart, so that no upload waits for one
    Transfers transfers_;
    std::size_t capacity_;
    DeviceBlock block_;
    Arena arena_;
};

}  // namespace plumecast::cuda
