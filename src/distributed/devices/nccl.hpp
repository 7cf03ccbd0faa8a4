#pragma once

#include <string>

#include "distributed/devices/device_transport.hpp"

namespace plumecast {

/// Transports by NCCL, one stream of its own for all that one maker makes. Throws InvalidInput where the build leaves
/// NCCL out or its library cannot be opened.
DeviceTransportMaker nccl_transports();

}  // namespace plumecast
