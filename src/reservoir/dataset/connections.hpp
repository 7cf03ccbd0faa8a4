#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class DatasetStore;

/// How what connects the cells of a store departs from the format: one of the transmissibilities along the axes, of the
/// two arrays of corner points or of the arrays of connections between other cells without the others, cells that the
/// grid does not have, a cell that is connected with itself, a pair that is there twice. Throws InvalidData for an
/// array that cannot be read.
std::vector<Violation> connection_violations(const DatasetStore& store);

}  // namespace plumecast
