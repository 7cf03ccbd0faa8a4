#include "device.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <plumecast/core/version.hpp>
#include <plumecast/training/recipe.hpp>

#include "core/number_text.hpp"

namespace plumecast::app {
namespace {

/// What the CPU computes in: tf32 is for CUDA alone, and bf16 gains nothing without units for it.
Precision cpu_precision(const DeviceOptions& options, Console& console) {
    if (options.named_precision() != Precision::bf16) {
        return Precision::fp32;
    }
    const std::string obstacle = cpu_bfloat16_obstacle();
    if (obstacle.empty()) {
        return Precision::bf16;
    }
    console.warn("computing in fp32: bf16 gains nothing here (" + obstacle + ")");
    return Precision::fp32;
}

std::unique_ptr<Backend> make_cpu(const DeviceOptions& options, int threads, Console& console) {
    return make_cpu_backend({.threads = threads,
                             .winograd = options.winograd == "f4" ? Winograd::f4 : Winograd::f2,
                             .precision = cpu_precision(options, console),
                             .direct_convolutions = options.direct_convolutions});
}

/// A number at the beginning of a text, and what follows it; a negative one where there is none.
std::pair<double, std::string_view> number_and_unit(std::string_view text) {
    double number = -1.0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return {error == std::errc() && std::isfinite(number) ? number : -1.0,
            text.substr(static_cast<std::size_t>(stop - text.data()))};
}

/// Sets bytes or share of a device's memory: "auto", "0.4", "40%", "24GiB".
void set_memory(const std::string& text, CudaOptions& options) {
    constexpr std::array<std::pair<std::string_view, double>, 4> units{
        {{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"MB", 1e6}, {"GB", 1e9}}};
    if (text == "auto") {
        return;
    }
    const auto [number, unit] = number_and_unit(text);
    const auto* known = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
    const double share = unit == "%" ? number / 100.0 : number;
    if (known != units.end() && number > 0.0 && number * known->second < 0x1p62) {
        options.memory_bytes = static_cast<std::size_t>(number * known->second);
    } else if ((unit.empty() || unit == "%") && share > 0.0 && share <= 1.0) {
        options.memory_share = share;
    } else {
        throw InvalidInput(
            fmt::format("--device-memory {} (it takes auto, a share as 0.4 or 40%, or a size in MiB, GiB, MB or GB as "
                        "24GiB); give one of them",
                        text));
    }
}

std::unique_ptr<Backend> make_automatic(const DeviceOptions& options, int threads, Console& console) {
    const std::string obstacle = cuda_obstacle();
    if (obstacle.empty()) {
        return make_cuda_backend(options.cuda(0, console));
    }
    if (has_cuda()) {
        console.info("computing on the CPU: " + obstacle);
    }
    if (options.named_spectral() == SpectralWay::cufft) {
        console.warn("spectral transforms are matrix products: the CPU has no cuFFT");
    }
    if (options.memory != "auto") {
        console.warn("--device-memory is of no use: the CPU takes memory as it needs it");
    }
    return make_cpu(options, threads, console);
}

}  // namespace

/// N of "cuda:N", 0 of "cuda".
int cuda_number(const std::string& device) {
    const std::string_view prefix = "cuda:";
    int number = 0;
    if (device == "cuda") {
        return number;
    }
    const char* end = device.data() + device.size();
    const bool known = device.starts_with(prefix);
    const auto [stop, error] = std::from_chars(known ? device.data() + prefix.size() : end, end, number);
    if (!known || error != std::errc() || stop != end || number < 0) {
        throw InvalidInput(
            fmt::format("--device {} (it takes auto, cpu, cuda or cuda:N with N from 0); give one of them", device));
    }
    return number;
}

bool has_cuda() {
    const std::vector<std::string> backends = build_info().backends;
    return std::ranges::find(backends, "cuda") != backends.end();
}

int usable_threads(int asked, Console& console) {
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());  // 0 where the system does not say
    if (cores == 0 || asked <= cores) {
        return asked;
    }
    console.warn(
        fmt::format("{} threads were asked for (this process may use {}; more only wait for each other); "
                    "{} are taken",
                    asked, counted(cores, "core"), cores));
    return cores;
}

Precision DeviceOptions::named_precision() const { return precision_named(precision, "--precision"); }

SpectralWay DeviceOptions::named_spectral() const {
    return spectral == "cufft" ? SpectralWay::cufft : spectral == "dft" ? SpectralWay::dft : SpectralWay::automatic;
}

CudaOptions DeviceOptions::cuda(int number, Console& console) const {
    CudaOptions options{.device = number,
                        .precision = named_precision(),
                        .processes = processes,
                        .spectral = named_spectral(),
                        .log = console.sink()};
    set_memory(memory, options);
    return options;
}

std::size_t DeviceOptions::memory_bytes() const {
    CudaOptions options;
    set_memory(memory, options);
    return options.memory_bytes;
}

PlannedDevice DeviceOptions::planned_device() const {
    const bool named = device.rfind("cuda", 0) == 0;
    return named || (device == "auto" && cuda_obstacle().empty()) ? PlannedDevice::cuda : PlannedDevice::cpu;
}

void add_device(CLI::App& app, DeviceOptions& options) {
    app.add_option("--device", options.device, "Where to compute: auto, cpu, cuda or cuda:N; auto is CUDA if possible")
        ->type_name("DEVICE")
        ->capture_default_str();
    app.add_option("--device-memory", options.memory,
                   "Memory of a CUDA device to take: a share (0.4 or 40%), a size (24GiB), or auto: what is free, of "
                   "ranks that share a device an equal part each")
        ->type_name("SIZE")
        ->capture_default_str();
    app.add_option("--precision", options.precision,
                   "fp32; bf16 stores fields in 16 bits, half their memory; tf32, on CUDA, is for the matrix units")
        ->check(CLI::IsMember({"fp32", "tf32", "bf16"}))
        ->type_name("P")
        ->capture_default_str();
    app.add_option("--winograd", options.winograd,
                   "On the CPU, tiles of convolutions: f4, or f2 for a quarter of the rounding errors and less speed")
        ->check(CLI::IsMember({"f2", "f4"}))
        ->type_name("F")
        ->capture_default_str();
    app.add_option(
           "--spectral", options.spectral,
           "On CUDA, spectral transforms: cufft, dft (products with truncated matrices), or auto, what is faster")
        ->check(CLI::IsMember({"cufft", "dft", "auto"}))
        ->type_name("WAY")
        ->capture_default_str();
}

std::string named_device_obstacle(const DeviceOptions& options) {
    const bool is_named = options.device != "auto" && options.device != "cpu";
    return is_named ? cuda_obstacle(cuda_number(options.device)) : "";
}

std::unique_ptr<Backend> make_backend(const DeviceOptions& options, int asked_threads, Console& console) {
    const int threads = usable_threads(asked_threads, console);
    if (options.device == "auto") {
        return make_automatic(options, threads, console);
    }
    if (options.device == "cpu") {
        if (options.named_precision() == Precision::tf32) {
            throw InvalidInput(
                "--precision tf32 (the CPU computes in fp32 or bf16); leave it out or use --device cuda");
        }
        if (options.named_spectral() == SpectralWay::cufft) {
            throw InvalidInput("--spectral cufft (the CPU has no cuFFT); leave it out or use --device cuda");
        }
        if (options.memory != "auto") {
            throw InvalidInput(
                "--device-memory (the CPU takes memory as it needs it); leave it out or use --device cuda");
        }
        return make_cpu(options, threads, console);
    }
    return make_cuda_backend(options.cuda(cuda_number(options.device), console));
}

}  // namespace plumecast::app
