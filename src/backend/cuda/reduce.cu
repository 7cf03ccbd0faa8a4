#include "backend/cuda/executor.hpp"
#include "backend/cuda/kernels/reduce.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::column_sums(ConstView, OutputRef);

}  // namespace plumecast::cuda
