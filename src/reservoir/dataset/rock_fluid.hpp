#pragma once

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Rock and fluids that hold for all cases of a data set, as far as its text attributes state them
/// (docs/data_format.md); defaults otherwise.
RockFluidSettings rock_fluid_of(const Dataset& dataset);

/// The attributes that state them; a brine temperature that is that of the reservoir is not stated.
FileAttributes attributes_of(const RockFluidSettings& settings);

/// Takes over to a file what another states of rock and fluids.
void copy_rock_fluid(const h5::File& from, h5::File& to);

/// Throws InvalidData naming the attribute when cases of the two cannot share a file, because they differ in rock or
/// fluids.
void require_same_rock_fluid(const Dataset& first, const Dataset& other);

}  // namespace plumecast
