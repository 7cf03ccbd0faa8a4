#pragma once

#include <vector>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/corner_point_connections.hpp"

namespace plumecast {

/// What connects neighbouring cells of a box, by its edges and permeabilities; nothing apart.
CellConnections box_transmissibilities(const BoxCase& box);

/// Pore volumes [Z, Y, X] [m3], those of the aquifer at the sides; 0 in inactive cells.
std::vector<double> box_pore_volumes(const BoxCase& box);

}  // namespace plumecast
