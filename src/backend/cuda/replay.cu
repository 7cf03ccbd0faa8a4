#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/replay.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::start_upload(ConstView, View);
template std::unique_ptr<PendingDownload> KernelBackend<DeviceExecutor>::start_download(ConstView, View);
template std::unique_ptr<Replay> KernelBackend<DeviceExecutor>::make_replay();

}  // namespace plumecast::cuda
