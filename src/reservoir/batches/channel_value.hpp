#pragma once

#include <cstdint>

#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Value of a channel from that of its source over its factors, in a cell of a case; -1 for no cell. Throws InvalidData
/// naming file, case and cell where the value is not finite in float32.
double channel_value(const Dataset& dataset, const Channel& channel, double source, std::int64_t which,
                     std::int64_t cell);

}  // namespace plumecast
