#pragma once

#include <string_view>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// How many ranks, this one among them, say the same: of a device, say, that they share. Texts are of up to 64 bytes.
/// Collective.
int ranks_alike(Communicator& ranks, std::string_view text);

}  // namespace plumecast
