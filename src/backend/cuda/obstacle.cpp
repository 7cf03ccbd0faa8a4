#include "backend/cuda/obstacle.hpp"

namespace plumecast::cuda {
namespace {

constexpr int oldest_capability = 80;

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Empty when the driver can run what this build contains.
std::string driver_obstacle(const DeviceFacts& facts) {
    if (!facts.driver) {
        return "no CUDA device can be used (no NVIDIA driver was found); install the driver or use the CPU";
    }
    // Within a major version, newer programs run on older drivers.
    if (*facts.driver / 1000 < facts.runtime / 1000) {
        return "the NVIDIA driver is too old (it supports CUDA " + version_text(*facts.driver) + ", this build needs " +
               version_text(facts.runtime) + "); update the driver or use the CPU";
    }
    return "";
}

std::string device_obstacle(const DeviceFacts& facts, int device) {
    if (facts.devices == 0) {
        return "no CUDA device can be used (" +
               (facts.counting_failure.empty() ? "none was found" : facts.counting_failure) +
               "); look at nvidia-smi and CUDA_VISIBLE_DEVICES, or use the CPU";
    }
    if (device < 0 || device >= facts.devices) {
        return "no CUDA device " + std::to_string(device) + " (there are " + std::to_string(facts.devices) +
               ", counted from 0); choose another device or use the CPU";
    }
    if (!facts.capability) {
        return "CUDA device " + std::to_string(device) +
               " does not answer (its properties cannot be read); look at nvidia-smi or use the CPU";
    }
    if (*facts.capability < oldest_capability) {
        return "CUDA device " + std::to_string(device) + " is too old (compute capability " +
               std::to_string(*facts.capability / 10) + "." + std::to_string(*facts.capability % 10) + ", at least " +
               std::to_string(oldest_capability / 10) + "." + std::to_string(oldest_capability % 10) +
               " is needed); use a newer device or the CPU";
    }
    return "";
}

}  // namespace

std::string obstacle(const DeviceFacts& facts, int device) {
    std::string found = driver_obstacle(facts);
    if (found.empty()) {
        found = device_obstacle(facts, device);
    }
    return found.empty() ? facts.missing_library : found;
}

}  // namespace plumecast::cuda
