#include <cuda_runtime_api.h>

#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/vendor/library.hpp"

namespace plumecast {
namespace {

constexpr int oldest_major = 8;

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Empty when the driver can run what this build contains.
std::string driver_obstacle() {
    int driver = 0;
    const cudaError_t status = cudaDriverGetVersion(&driver);
    if (status != cudaSuccess || driver == 0) {
        return "no CUDA device can be used (no NVIDIA driver was found); install the driver or use --device cpu";
    }
    // Within a major version, newer programs run on older drivers.
    if (driver / 1000 < CUDART_VERSION / 1000) {
        return "the NVIDIA driver is too old (it supports CUDA " + version_text(driver) + ", this build needs " +
               version_text(CUDART_VERSION) + "); update the driver or use --device cpu";
    }
    return "";
}

std::string device_obstacle(int device) {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        cudaGetLastError();  // else the next call would report it again
        return std::string("no CUDA device can be used (") +
               (status == cudaSuccess ? "none was found" : cudaGetErrorString(status)) +
               "); look at nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device cpu";
    }
    if (device < 0 || device >= devices) {
        return "no CUDA device " + std::to_string(device) + " (there are " + std::to_string(devices) +
               ", counted from 0); choose another with --device cuda:N";
    }
    int major = 0, minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        return "CUDA device " + std::to_string(device) +
               " does not answer (its properties cannot be read); look at nvidia-smi or use --device cpu";
    }
    if (major < oldest_major) {
        return "CUDA device " + std::to_string(device) + " is too old (compute capability " + std::to_string(major) +
               "." + std::to_string(minor) + ", at least " + std::to_string(oldest_major) +
               ".0 is needed); use a newer device or --device cpu";
    }
    return "";
}

std::string library_obstacle() {
    try {
        const cuda::Library products(cuda::blas_library), convolutions(cuda::dnn_library);
        return "";
    } catch (const DeviceError& missing) {
        return missing.what();
    }
}

}  // namespace

std::string cuda_obstacle(int device) {
    std::string obstacle = driver_obstacle();
    if (obstacle.empty()) {
        obstacle = device_obstacle(device);
    }
    return obstacle.empty() ? library_obstacle() : obstacle;
}

}  // namespace plumecast
