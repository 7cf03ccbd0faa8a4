#pragma once

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/grid_place.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"
#include "reservoir/io/h5/file.hpp"

namespace plumecast {

/// Where the Cartesian grid of a file lies, as its attributes `rotation` and `origin` say (docs/data_format.md). An
/// origin without a rotation is one of 0 degrees. Throws InvalidData for what is not admissible.
GridPlace read_place(const DatasetStore& store);
GridPlace read_place(const h5::File& file);

/// The attributes that state a place.
FileAttributes attributes_of(const GridPlace& place);

/// Takes over to a file what another states of the place of its grid.
void copy_place(const h5::File& from, h5::File& to);

/// Throws InvalidData when cases of the two cannot share a file, because their grids lie at different places.
void require_same_place(const Dataset& first, const Dataset& other);

}  // namespace plumecast
