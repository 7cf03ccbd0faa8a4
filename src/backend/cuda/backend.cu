#include "backend/cuda/backend.hpp"

#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <utility>

#include <plumecast/core/version.hpp>

#include "backend/cuda/vendor/dnn.hpp"

namespace plumecast::cuda {
namespace {

std::string name_of_device(int device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "asking for the device's name");
    return properties.name;
}

/// What a variable of the environment names among some choices; `usual` where it is not set.
template <class Choice>
Choice chosen(const std::string& variable, Choice usual, std::initializer_list<std::pair<const char*, Choice>> known) {
    const char* set = std::getenv(variable.c_str());
    const std::string wanted = set != nullptr ? set : "";
    std::string names;
    for (const auto& [name, choice] : known) {
        if (wanted == name) {
            return choice;
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    if (wanted.empty()) {
        return usual;
    }
    throw InvalidInput(variable + "=" + wanted + " (it takes one of " + names +
                       "); set one of them, or leave the variable unset");
}

const char* name_of(Precision precision) {
    switch (precision) {
        case Precision::fp32:
            return "fp32";
        case Precision::tf32:
            return "tf32";
        case Precision::bf16:
            return "bf16";
    }
    return "";
}

}  // namespace

std::string machine_text(const std::string& device, const std::string& libraries) {
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "asking for the driver's version");
    return device + ", driver for CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) +
           ", " + libraries + ", plumecast " + std::string(version());
}

CudaBackend::CudaBackend(const CudaOptions& options)
    : Kernels(options.precision, route_from_environment(), options.log, options),
      axis_route_(axis_route_from_environment()),
      device_name_(name_of_device(options.device)),
      blas_(options.precision),
      spectral_(options.spectral) {
    open_dnn();
    open_fft();
}

void CudaBackend::open_dnn() {
    auto library = std::make_unique<Dnn>([this] { return executor().stream(); });
    const std::string machine = machine_text(device_name_, DnnVersion{library->version()}.text() + ", convolutions");
    DnnClock clock{std::make_unique<FastestWay>(TuningCache(TuningCache::default_path(), machine, executor().log())),
                   [this](const std::function<void()>& work) { return executor().seconds_of(work); },
                   [this] { return !executor().is_recording(); }};
    use_dnn(std::move(library), std::move(clock));
}

ConvRoute CudaBackend::route_from_environment() {
    return chosen<ConvRoute>("PLUMECAST_CUDA_CONV", ConvRoute::automatic,
                             {{"cudnn", ConvRoute::library}, {"direct", ConvRoute::kernels}});
}

CudaBackend::AxisRoute CudaBackend::axis_route_from_environment() {
    return chosen<AxisRoute>(
        "PLUMECAST_CUDA_AXIS", AxisRoute::plain,
        {{"split", AxisRoute::split}, {"autotune", AxisRoute::autotuned}, {"fastest", AxisRoute::autotuned}});
}

std::unique_ptr<Replay> CudaBackend::make_replay() {
    const char* wanted = std::getenv("PLUMECAST_CUDA_GRAPHS");
    return wanted != nullptr && std::string(wanted) == "off" ? Backend::make_replay() : Kernels::make_replay();
}

std::string CudaBackend::description() const {
    return "cuda: " + device_name_ + ", " + name_of(precision()) + ", " + blas_.version() + ", " + dnn_text();
}

void CudaBackend::wait() { check(cudaStreamSynchronize(executor().stream()), "the computation on the device"); }

}  // namespace plumecast::cuda

namespace plumecast {

std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options) {
    return std::make_unique<cuda::CudaBackend>(options);
}

}  // namespace plumecast
