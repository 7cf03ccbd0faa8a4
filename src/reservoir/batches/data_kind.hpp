#pragma once

#include <vector>

#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Refuses reservoirs for channels of generic data, which name their sources by paths, and generic data for others.
/// Throws InvalidData.
void require_kind(const Dataset& dataset, const std::vector<Channel>& channels);

}  // namespace plumecast
