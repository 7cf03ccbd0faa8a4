#pragma once

#include <cstdint>

#include <plumecast/reservoir/dataset/dataset_content.hpp>

namespace plumecast {

class Dataset;

/// Inputs of `count` cases of a data set from `first` on, with grid, times and what it states of rock and place; its
/// outputs are left out. Throws InvalidData for a damaged file.
DatasetContent inputs_of(const Dataset& dataset, std::int64_t first, std::int64_t count);

}  // namespace plumecast
