#pragma once

#include <optional>
#include <string>

namespace plumecast::cuda {

/// What was found of the driver and of one device, as far as it was asked.
struct DeviceFacts {
    int runtime = 0;                ///< CUDA version this was built with, 1000 major + 10 minor
    std::optional<int> driver;      ///< newest CUDA version the driver supports; nothing without a driver
    int devices = 0;                ///< that programs may use
    std::string counting_failure;   ///< why they could not be counted; may be empty
    std::optional<int> capability;  ///< of the device, 10 major + minor; nothing where it does not answer
    std::string missing_library;    ///< the error of a library that could not be opened; may be empty
};

/// Why a device cannot be used, as an error says it, with the remedy; empty when it can.
std::string obstacle(const DeviceFacts& facts, int device);

}  // namespace plumecast::cuda
