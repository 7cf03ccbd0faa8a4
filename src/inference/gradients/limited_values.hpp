#pragma once

#include <plumecast/reservoir/batches/channels.hpp>

namespace plumecast {

/// Where a value stands between the limits of its field: it changes freely, with the limit, or not at all.
enum class Place { free, limited, fixed };

/// Of a physical value as physical_values() would have it without limits; `limit`: the largest of the case.
Place place_of(const Field& field, double value, double limit);

}  // namespace plumecast
