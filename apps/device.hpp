#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <CLI/App.hpp>

#include <plumecast/backend/backend.hpp>
#include <plumecast/backend/cuda.hpp>

#include "console.hpp"

namespace plumecast::app {

/// Where a subcommand computes, and how exactly.
struct DeviceOptions {
    Precision named_precision() const;
    SpectralWay named_spectral() const;
    /// What the backend is made with of a CUDA device. Throws InvalidInput for memory that is neither a share nor a
    /// size.
    CudaOptions cuda(int number, Console& console) const;
    /// Memory of a CUDA device that is asked for as a size [byte]; 0 for a share and for what is free. Throws
    /// InvalidInput as cuda().
    std::size_t memory_bytes() const;
    /// Whose memory plans are to count. `auto` counts as make_backend() chooses.
    PlannedDevice planned_device() const;

    std::string device = "auto";
    std::string precision = "fp32";
    std::string winograd = "f4";
    std::string spectral = "auto";
    std::string memory = "auto";
    int processes = 1;                 ///< as in CudaOptions
    bool direct_convolutions = false;  ///< as in CpuOptions
};

/// Adds `--device auto|cpu|cuda[:N]`, `--device-memory`, `--precision fp32|tf32|bf16`, `--winograd f2|f4` and
/// `--spectral cufft|dft|auto`, shared by all subcommands that compute.
void add_device(CLI::App& app, DeviceOptions& options);

/// The number of the CUDA device that is asked for, 0 where none is named. Throws InvalidInput for one that is no
/// device.
int cuda_number(const std::string& device);

/// Whether this build has the CUDA backend.
bool has_cuda();

/// How many threads to compute with: those asked for, but with a warning no more than the cores that this process may
/// use; 0 stays 0, all of them.
int usable_threads(int asked, Console& console);

/// Why the CUDA device that is asked for by name cannot be used; empty where it can, or where another is asked for.
/// Throws InvalidInput for a device that does not exist.
std::string named_device_obstacle(const DeviceOptions& options);

/// The backend asked for. `auto` takes CUDA device 0 when it can be used, else the CPU, and says why on the console if
/// the build has CUDA. On a CPU without units for bfloat16 it says so and computes in fp32. Throws InvalidInput for a
/// device or precision that does not exist, NotBuilt or DeviceError when the device named cannot be used.
std::unique_ptr<Backend> make_backend(const DeviceOptions& options, int asked_threads, Console& console);

}  // namespace plumecast::app
