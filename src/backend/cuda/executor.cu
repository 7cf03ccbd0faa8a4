#include "backend/cuda/executor.hpp"

#include <chrono>
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
                          " are needed); end other programs on the device or choose another in CudaOptions::device");
    }
    return (free - rest) / granule * granule;
}

}  // namespace

DeviceExecutor::DeviceExecutor(int device, std::size_t memory_bytes, LogSink log)
    : device_(usable(device)),
      log_(std::move(log)),
      stream_(make_stream()),
      capacity_(memory_bytes != 0 ? memory_bytes : nearly_all_free()),
      block_(make_device_block(capacity_)),
      arena_(block_.get(), capacity_) {}

double DeviceExecutor::seconds_of(const std::function<void()>& work) {
    constexpr int runs = 5;
    work();
    check(cudaStreamSynchronize(stream()), "timing");
    const auto start = std::chrono::steady_clock::now();
    for (int run = 0; run < runs; ++run) {
        work();
    }
    check(cudaStreamSynchronize(stream()), "timing");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
}

void DeviceExecutor::start_recording() {
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "starting to record");
    recording_ = true;
}

DeviceExecutor::Recording DeviceExecutor::finish_recording() {
    cudaGraph_t noted = nullptr;
    recording_ = false;
    check(cudaStreamEndCapture(stream(), &noted), "recording");
    const Graph graph(noted);
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph.get(), 0), "making a recording ready");
    return ReadyGraph(ready);
}

void DeviceExecutor::abandon_recording() noexcept {
    if (std::exchange(recording_, false)) {
        cudaGraph_t noted = nullptr;
        cudaStreamEndCapture(stream_.get(), &noted);
        const Graph graph(noted);
        cudaGetLastError();  // else the next call would report again why recording failed
    }
}

void DeviceExecutor::play(const Recording& recording) {
    check(cudaGraphLaunch(recording.get(), stream()), "starting a recording");
}

cudaStream_t DeviceExecutor::stream_for_host() const {
    if (recording_) {
        throw DeviceError(
            "a copy between host and device cannot be recorded (a recording holds work of the device "
            "only); please report what was computed");
    }
    return stream();
}

cudaStream_t DeviceExecutor::stream() const {
    check(cudaSetDevice(device_), "choosing the device");
    return stream_.get();
}

}  // namespace plumecast::cuda
