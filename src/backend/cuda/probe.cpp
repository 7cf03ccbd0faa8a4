#include <cuda_runtime_api.h>

#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/obstacle.hpp"
#include "backend/cuda/vendor/library.hpp"

namespace plumecast {
namespace {

std::optional<int> driver_version() {
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version != 0 ? std::optional(version) : std::nullopt;
}

std::optional<int> capability_of(int device) {
    int major = 0, minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        cudaGetLastError();  // else the next call would report it again
        return std::nullopt;
    }
    return 10 * major + minor;
}

std::string missing_library() {
    try {
        const cuda::Library products(cuda::blas_library), convolutions(cuda::dnn_library);
        return "";
    } catch (const DeviceError& missing) {
        return missing.what();
    }
}

}  // namespace

std::string cuda_device_id(int device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        cudaGetLastError();  // else the next call would report it again
        return "";
    }
    return {properties.uuid.bytes, sizeof properties.uuid.bytes};
}

std::string cuda_obstacle(int device) {
    cuda::DeviceFacts facts;
    facts.runtime = CUDART_VERSION;
    facts.driver = driver_version();
    if (facts.driver && *facts.driver / 1000 >= facts.runtime / 1000) {  // an older one would only fail
        const cudaError_t status = cudaGetDeviceCount(&facts.devices);
        if (status != cudaSuccess) {
            cudaGetLastError();
            facts.devices = 0;
            facts.counting_failure = cudaGetErrorString(status);
        }
        if (device >= 0 && device < facts.devices) {
            facts.capability = capability_of(device);
        }
    }
    facts.missing_library = facts.devices > 0 ? missing_library() : "";
    return cuda::obstacle(facts, device);
}

}  // namespace plumecast
