#include "backend/cuda/handles.hpp"

#include "backend/cuda/status.hpp"

namespace plumecast::cuda {

Stream make_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    return Stream(stream);
}

Event make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
    return Event(event);
}

DeviceBlock make_device_block(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "taking device memory");
    return DeviceBlock(static_cast<std::byte*>(memory));
}

PinnedBlock make_pinned_block(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, bytes), "taking pinned host memory");
    return PinnedBlock(static_cast<std::byte*>(memory));
}

}  // namespace plumecast::cuda
