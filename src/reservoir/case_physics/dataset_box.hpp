#pragma once

#include <cstdint>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/corner_point_connections.hpp"

namespace plumecast {

/// Whether corners tell what flows between the cells of a Cartesian data set, which states no transmissibilities.
bool follows_from_corners(const Dataset& dataset);

/// The corner points of a Cartesian data set that states them; no pillars of one that does not.
CornerPoints corner_points_of(const Dataset& dataset);

/// A case of a Cartesian data set as the reduced physics takes it. Throws InvalidData for a radial grid, a
/// corner-point grid of which neither corners nor transmissibilities are stated, or a data set without saturation
/// functions, and InvalidInput for a case out of range.
BoxCase box_case(const Dataset& dataset, std::int64_t which);

/// Throws InvalidData for a data set that has no physics whatever the case is.
void require_physics_case(const Dataset& dataset);

}  // namespace plumecast
