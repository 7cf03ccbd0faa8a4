#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/elementwise.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::upload(ConstView, View);
template void KernelBackend<DeviceExecutor>::download(ConstView, View);
template void KernelBackend<DeviceExecutor>::fill(View, double);
template void KernelBackend<DeviceExecutor>::add(double, ConstView, OutputRef);
template void KernelBackend<DeviceExecutor>::add_product(ConstView, ConstView, OutputRef);
template void KernelBackend<DeviceExecutor>::activate(Activation, ConstView, View);
template void KernelBackend<DeviceExecutor>::activation_gradient(Activation, ConstView, View);

}  // namespace plumecast::cuda
