#include <algorithm>
#include <charconv>
#include <string_view>
#include <thread>
#include <utility>

#include <plumecast.h>
#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/core/version.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "core/number_text.hpp"

namespace plumecast::c {
namespace {

std::string build_text() {
    const BuildInfo info = build_info();
    Json::Array backends;
    for (const std::string& one : info.backends) {
        backends.emplace_back(one);
    }
    Json json;
    json["version"] = info.version;
    json["compiler"] = info.compiler;
    json["build_type"] = info.build_type;
    json["onednn"] = info.onednn;
    json["hdf5"] = info.hdf5;
    json["backends"] = std::move(backends);
    return json.dump();
}

SpectralWay spectral_way(std::int32_t number) {
    switch (number) {
        case PLUMECAST_SPECTRAL_AUTO:
            return SpectralWay::automatic;
        case PLUMECAST_SPECTRAL_CUFFT:
            return SpectralWay::cufft;
        case PLUMECAST_SPECTRAL_DFT:
            return SpectralWay::dft;
        default:
            throw InvalidInput("spectral is " + std::to_string(number) +
                               " (there are 0 to 2); set it to one of PLUMECAST_SPECTRAL_...");
    }
}

std::unique_ptr<Backend> open_cpu(const plumecast_device_options& options) {
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());  // 0 where the system does not say
    return make_cpu_backend({.threads = cores > 0 ? std::min<int>(options.threads, cores) : options.threads,
                             .precision = options.bfloat16 != 0 ? Precision::bf16 : Precision::fp32,
                             .memory_limit = static_cast<std::size_t>(options.memory_limit)});
}

std::unique_ptr<Backend> open_cuda(int number, const plumecast_device_options& options) {
    return make_cuda_backend({.device = number,
                              .precision = options.bfloat16 != 0 ? Precision::bf16 : Precision::fp32,
                              .memory_bytes = static_cast<std::size_t>(options.memory_limit),
                              .memory_share = options.memory_share,
                              .spectral = spectral_way(options.spectral)});
}

std::unique_ptr<Backend> open_device(const std::string& name, const plumecast_device_options& options) {
    constexpr std::string_view prefix = "cuda:";
    const SpectralWay spectral = spectral_way(options.spectral);
    if (name == "cpu" && spectral == SpectralWay::cufft) {
        throw InvalidInput("spectral is PLUMECAST_SPECTRAL_CUFFT (the CPU has no cuFFT); leave it 0 or open \"cuda\"");
    }
    if (name == "cpu" && options.memory_share != 0.0) {
        throw InvalidInput("memory_share is " + number_text(options.memory_share) +
                           " (the CPU takes memory as it needs it); leave it 0 or open \"cuda\"");
    }
    if (name == "cpu" || (name == "auto" && !cuda_obstacle().empty())) {
        return open_cpu(options);
    }
    int number = 0;
    if (name == "auto" || name == "cuda") {
        return open_cuda(number, options);
    }
    const char* end = name.data() + name.size();
    const bool is_numbered = name.starts_with(prefix);
    const auto [stop, error] = std::from_chars(is_numbered ? name.data() + prefix.size() : end, end, number);
    if (error != std::errc() || stop != end || number < 0) {
        throw InvalidInput("device '" + name.substr(0, 64) +
                           "' is not known (there are auto, cpu, cuda and cuda:N with N from 0); name one of them");
    }
    return open_cuda(number, options);
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

int32_t plumecast_abi(void) { return PLUMECAST_ABI; }

const char* plumecast_version(void) { return version().data(); }

const char* plumecast_build_info(void) {
    const char* found = "";
    c::guarded([&] {
        static const std::string text = c::build_text();
        found = text.c_str();
    });
    return found;
}

const char* plumecast_last_error(void) { return c::last_error(); }

plumecast_status plumecast_device_open(const char* name, const plumecast_device_options* options,
                                       plumecast_device** device) {
    return c::guarded([&] {
        plumecast_device*& to = c::required(device, "device");
        to = nullptr;
        const plumecast_device_options defaults{sizeof defaults, 0, 0, 0, PLUMECAST_SPECTRAL_AUTO, 0, 0.0};
        const auto given = c::read_sized(options, defaults, "options");
        auto opened = std::make_unique<plumecast_device>();
        opened->backend = c::open_device(c::text_of(name, "name"), given);
        opened->description = opened->backend->description();
        to = opened.release();
    });
}

plumecast_status plumecast_device_describe(const plumecast_device* device, const char** text) {
    return c::guarded([&] { c::required(text, "text") = c::required(device, "device").description.c_str(); });
}

plumecast_status plumecast_device_trim(plumecast_device* device) {
    return c::guarded([&] { c::required(device, "device").backend->trim(); });
}

void plumecast_device_release(plumecast_device* device) { delete device; }
