#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/log.hpp>

namespace plumecast::testing {

/// What was asked of a backend.
struct AskedOfDevice {
    int downloads = 0;   ///< for which the host waits
    int adam_steps = 0;  ///< started
};

/// The kernels of the CUDA backend on the host, in memory that nobody but an op can touch: whoever takes memory of a
/// device for the host's own meets a segmentation fault here, as on the device. Work that is repeated is recorded and
/// played back, and downloads happen as late as they may. `asked`, if given, must outlive the backend,
/// which then is for one thread.
std::unique_ptr<Backend> make_fenced_kernels(LogSink log = {}, AskedOfDevice* asked = nullptr);

}  // namespace plumecast::testing
