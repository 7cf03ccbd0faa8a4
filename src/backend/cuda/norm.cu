#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::moments(ConstView, View);
template void KernelBackend<DeviceExecutor>::normalise(ConstView, const BatchNormStatistics&, ConstView, ConstView,
                                                       Activation, View);
template void KernelBackend<DeviceExecutor>::normalise_sums(ConstView, ConstView, const BatchNormStatistics&, ConstView,
                                                            ConstView, Activation, View);
template void KernelBackend<DeviceExecutor>::normalise_gradient(ConstView, ConstView, const BatchNormStatistics&,
                                                                ConstView, ConstView, Activation, ConstView, OutputRef);

}  // namespace plumecast::cuda
