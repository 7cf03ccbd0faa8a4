#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Variation of a source in a data set, which alone knows that of an input of generic data. Throws InvalidData where it
/// has none of that name.
Variation variation_in(const Dataset& dataset, const std::string& source);

/// Refuses generic data that state a source in another unit than the network has it; coordinates that are not stated
/// have none. Throws InvalidData.
void require_unit(const Dataset& dataset, const Channel& channel);

/// Refuses constants of points of another grid (InvalidData), and of an input that has none (InvalidInput): `what` is
/// the name of channel or field, `varies` whether it does over the points.
void require_points(const Dataset& dataset, const PointConstants& points, const std::string& what, bool varies);

/// Throws InvalidData where a data set has no output of a field, or has it in another unit.
void require_output(const Dataset& dataset, const Field& field);

/// An input of generic data that varies in time, [T, space...] of a case; a series is the same everywhere.
std::vector<float> varying_input(const Dataset& dataset, const std::string& source, std::int64_t which);

}  // namespace plumecast
