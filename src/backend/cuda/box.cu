#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/box.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::padded_sum(std::span<const ConstView>, ConstView, const Padding&, View);
template void KernelBackend<DeviceExecutor>::padded_sum_gradient(ConstView, const Padding&, OutputRef);
template void KernelBackend<DeviceExecutor>::copy_box(ConstView, const Shape&, OutputRef, const Shape&, const Shape&);

}  // namespace plumecast::cuda
