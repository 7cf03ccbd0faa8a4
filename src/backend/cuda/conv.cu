#include "backend/cuda/kernels/conv/ops.hpp"

#include "backend/cuda/dnn/narrow.hpp"
#include "backend/cuda/dnn/wide.hpp"
#include "backend/cuda/executor.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::conv(const ConvGeometry&, std::span<const ConstView>, ConstView, ConstView,
                                                  OutputRef, Activation);
template void KernelBackend<DeviceExecutor>::conv_data_gradient(const ConvGeometry&, ConstView, ConstView,
                                                                std::span<const OutputRef>);
template void KernelBackend<DeviceExecutor>::conv_weight_gradient(const ConvGeometry&, std::span<const ConstView>,
                                                                  ConstView, OutputRef);
template void KernelBackend<DeviceExecutor>::coarse_from_fine(const ConvPart&, ConstView, ConstView, float*, float);
template void KernelBackend<DeviceExecutor>::fine_from_coarse(const ConvPart&, ConstView, ConstView, float*, float);
template void KernelBackend<DeviceExecutor>::weight_from_both(const ConvPart&, ConstView, ConstView, float*, float);

template class DnnBackend<DeviceExecutor>;

}  // namespace plumecast::cuda
