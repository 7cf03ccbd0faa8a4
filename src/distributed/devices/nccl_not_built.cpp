#include <plumecast/core/error.hpp>

#include "distributed/devices/nccl.hpp"

namespace plumecast {

DeviceTransportMaker nccl_transports() {
    throw InvalidInput(
        "messages by NCCL (this build leaves it out); build with -DPLUMECAST_NCCL=ON, or take Transport::host or "
        "Transport::device");
}

}  // namespace plumecast
