#include "backend/cuda/executor.hpp"

#include <chrono>
#include <string>

#include "backend/cuda/memory_part.hpp"

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

std::size_t part_of(const CudaOptions& options) {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "asking for free device memory");
    return memory_part({options.memory_bytes, options.memory_share, options.processes}, free, all);
}

}  // namespace

DeviceExecutor::DeviceExecutor(const CudaOptions& options)
    : device_(usable(options.device)),
      log_(options.log),
      stream_(make_stream()),
      capacity_(part_of(options)),
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
    stream();  // makes the device current
    Stream recorder = make_stream();
    check(cudaStreamBeginCapture(recorder.get(), cudaStreamCaptureModeThreadLocal), "starting to record");
    recordings_.start(std::move(recorder));
}

DeviceExecutor::Recording DeviceExecutor::finish_recording() {
    cudaGraph_t noted = nullptr;
    const Stream recorder = recordings_.finish();
    check(cudaStreamEndCapture(recorder.get(), &noted), "recording");
    const Graph graph(noted);
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph.get(), 0), "making a recording ready");
    return ReadyGraph(ready);
}

void DeviceExecutor::abandon_recording() noexcept {
    if (const Stream recorder = recordings_.finish()) {
        cudaGraph_t noted = nullptr;
        cudaStreamEndCapture(recorder.get(), &noted);
        const Graph graph(noted);
        cudaGetLastError();  // else the next call would report again why recording failed
    }
}

void DeviceExecutor::play(const Recording& recording) {
    check(cudaGraphLaunch(recording.get(), stream()), "starting a recording");
}

cudaStream_t DeviceExecutor::stream_for_host() {
    if (is_recording()) {
        throw DeviceError(
            "a copy between host and device cannot be recorded (a recording holds work of the device "
            "only); please report what was computed");
    }
    return stream();
}

cudaStream_t DeviceExecutor::stream() {
    check(cudaSetDevice(device_), "choosing the device");
    const Stream* recorder = recordings_.of_this_thread();
    return recorder != nullptr ? recorder->get() : stream_.get();
}

}  // namespace plumecast::cuda
