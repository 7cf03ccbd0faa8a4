#pragma once

#include <optional>

#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/generation/finished_arrays.hpp"

namespace plumecast {

/// The aquifer factor that a data set states: none of corner points, whose pore volumes hold it.
std::optional<double> stated_aquifer(const GeneratorConfiguration& configuration);

/// What the cases of a box with a topography have in common: shapes of the cells, and the pairs of cells that faults
/// bring together; with the names of the arrays that add_corner_point_arrays() gives each case.
CaseArrays corner_point_frame(const BoxGrid& box, const CornerPoints& shape);

/// Pore volumes and transmissibilities of a case; those between pairs of cells in the order of the frame.
void add_corner_point_arrays(const BoxReservoir& reservoir, CaseArrays& arrays);

}  // namespace plumecast
