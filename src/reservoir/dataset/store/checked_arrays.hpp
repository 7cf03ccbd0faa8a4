#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// Throws InvalidData when an array of a store is not in a unit that the format accepts.
void check_units(const DatasetStore& store, const ArraySpec& spec);

/// What a store declares about an array of numbers with the axes and the unit of the format. Throws InvalidData.
StoredArray checked_info(const DatasetStore& store, const ArraySpec& spec);

/// The entries of an axis, at least `fewest`, finite and increasing. Throws InvalidData.
std::vector<double> increasing(const DatasetStore& store, const ArraySpec& spec, std::size_t fewest);

}  // namespace plumecast
