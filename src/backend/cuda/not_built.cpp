#include <plumecast/backend/cuda.hpp>

namespace plumecast {

std::string cuda_obstacle(int) {
    return "no CUDA backend (this build leaves it out); build with -DPLUMECAST_CUDA=ON or use the CPU";
}

std::string cuda_device_id(int) { return ""; }

std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options) {
    throw NotBuilt(cuda_obstacle(options.device));
}

}  // namespace plumecast
