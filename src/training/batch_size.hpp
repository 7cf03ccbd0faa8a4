#pragma once

#include <cstdint>

#include <plumecast/training/field_network.hpp>

namespace plumecast {

/// Most cases of extents [space..., T] whose prediction fits beside what the backend's memory holds now, from 1 to
/// `most`, as far as the memory plan tells.
std::int64_t fitting_batch(const FieldNetwork& network, const Shape& extents, std::int64_t most);

}  // namespace plumecast
