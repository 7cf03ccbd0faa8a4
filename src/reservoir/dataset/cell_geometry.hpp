#pragma once

#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// A geometric channel source [m] of every cell [space...]: cell_width_ and center_ of an axis of the grid, or of
/// generic data /grid/x and its like, in their unit. Centres are the cells' own where the file holds them. Throws
/// InvalidData when the grid has no such axis.
std::vector<float> cell_geometry(const Dataset& dataset, std::string_view source);

}  // namespace plumecast
