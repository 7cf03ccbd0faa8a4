#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/log.hpp>

namespace plumecast::testing {

/// The kernels of the CUDA backend on the host, in memory that nobody but a verb can touch: whoever takes memory of a
/// device for the host's own meets a segmentation fault here, as on the device. Work that is repeated is recorded and
/// played back, and downloads happen as late as they may.
std::unique_ptr<Backend> make_fenced_kernels(LogSink log = {});

}  // namespace plumecast::testing
