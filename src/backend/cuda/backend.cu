#include "backend/cuda/backend.hpp"

#include <cstdlib>
#include <memory>

namespace plumecast::cuda {
namespace {

std::string name_of_device(int device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "asking for the device's name");
    return properties.name;
}

}  // namespace

CudaBackend::CudaBackend(const CudaOptions& options)
    : Kernels(options.device, options.memory_bytes),
      precision_(options.precision),
      route_(route_from_environment()),
      device_name_(name_of_device(options.device)),
      blas_(options.precision),
      dnn_(options.precision, executor().stream()) {}

CudaBackend::ConvRoute CudaBackend::route_from_environment() {
    const char* variable = std::getenv("PLUMECAST_CUDA_CONV");
    const std::string wanted = variable != nullptr ? variable : "";
    if (wanted.empty()) {
        return ConvRoute::automatic;
    }
    if (wanted == "cudnn") {
        return ConvRoute::library;
    }
    if (wanted == "direct") {
        return ConvRoute::kernels;
    }
    throw InvalidInput("PLUMECAST_CUDA_CONV=" + wanted +
                       " (it takes cudnn or direct); set one of them, or leave the variable unset");
}

std::string CudaBackend::description() const {
    return "cuda: " + device_name_ + ", " + (precision_ == Precision::tf32 ? "tf32" : "fp32") + ", " + blas_.version() +
           ", " + (route_ == ConvRoute::kernels ? "no cuDNN" : dnn_.version());
}

}  // namespace plumecast::cuda

namespace plumecast {

std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options) {
    return std::make_unique<cuda::CudaBackend>(options);
}

}  // namespace plumecast
