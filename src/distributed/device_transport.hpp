#pragma once

#include <plumecast/distributed/world.hpp>

namespace plumecast {

/// Whether messages shall lie in device memory. Throws InvalidInput as World::choose().
bool in_device_memory(Transport wanted, bool library_can);

}  // namespace plumecast
