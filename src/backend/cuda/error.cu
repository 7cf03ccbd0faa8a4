#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/error.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::error_norms(ConstView, ConstView, ConstView, ConstView, View);
template void KernelBackend<DeviceExecutor>::error_ratios(ConstView, const LossMeasure&, double, View, View);
template void KernelBackend<DeviceExecutor>::error_gradient(ConstView, ConstView, ConstView, ConstView, ConstView,
                                                            View);

}  // namespace plumecast::cuda
