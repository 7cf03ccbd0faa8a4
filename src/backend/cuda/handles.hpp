#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace plumecast::cuda {

/// How unique_ptr gives back what CUDA handed out. A failure cannot be reported from a destructor; the next call
/// reports it again.
struct Release {
    void operator()(CUstream_st* stream) const { cudaStreamDestroy(stream); }
    void operator()(CUevent_st* event) const { cudaEventDestroy(event); }
};
struct ReleaseGraph {
    void operator()(CUgraph_st* graph) const { cudaGraphDestroy(graph); }
    void operator()(CUgraphExec_st* graph) const { cudaGraphExecDestroy(graph); }
};
struct ReleaseDeviceMemory {
    void operator()(std::byte* memory) const { cudaFree(memory); }
};
struct ReleasePinnedMemory {
    void operator()(std::byte* memory) const { cudaFreeHost(memory); }
};

using Stream = std::unique_ptr<CUstream_st, Release>;
using Event = std::unique_ptr<CUevent_st, Release>;
/// Recorded work, and the same made ready to be started.
using Graph = std::unique_ptr<CUgraph_st, ReleaseGraph>;
using ReadyGraph = std::unique_ptr<CUgraphExec_st, ReleaseGraph>;
/// Memory of the device.
using DeviceBlock = std::unique_ptr<std::byte, ReleaseDeviceMemory>;
/// Host memory that the device can reach by itself.
using PinnedBlock = std::unique_ptr<std::byte, ReleasePinnedMemory>;

/// On the current device. Each throws DeviceError when CUDA refuses.
Stream make_stream();
Event make_event();
DeviceBlock make_device_block(std::size_t bytes);
PinnedBlock make_pinned_block(std::size_t bytes);

}  // namespace plumecast::cuda
