#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/adam.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::squared_norm(std::span<const ConstView>, View);
template void KernelBackend<DeviceExecutor>::adam(const AdamStep&, std::span<const AdamParameter>);

}  // namespace plumecast::cuda
