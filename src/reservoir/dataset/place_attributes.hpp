#pragma once

#include <optional>

#include <plumecast/reservoir/dataset/grid_place.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Where the Cartesian grid of a file lies, as its attributes `rotation` and `origin` say (docs/data_format.md). An
/// origin without a rotation is one of 0 degrees. Throws InvalidData for what is not admissible.
GridPlace read_place(const DatasetStore& store);
GridPlace read_place(const h5::File& file);

/// Depth of the top of the formation [m] that the attribute `top_depth` states, else the end of `origin`; nothing where
/// neither does. Throws InvalidData for what is not admissible.
std::optional<double> read_top_depth(const DatasetStore& store);
/// Radius of the wells [m] that the attribute `well_radius` states. Throws InvalidData for what is not admissible.
std::optional<double> read_well_radius(const DatasetStore& store);

/// The attributes that state depth and radius, where they are known.
FileAttributes attributes_of(std::optional<double> top_depth, std::optional<double> well_radius);
/// Takes over to a file what another states of the depth of the formation and the radius of the wells.
void copy_depth(const h5::File& from, h5::File& to);

/// The attributes that state a place.
FileAttributes attributes_of(const GridPlace& place);

/// Takes over to a file what another states of the place of its grid.
void copy_place(const h5::File& from, h5::File& to);

}  // namespace plumecast
