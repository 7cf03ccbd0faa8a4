#pragma once

#include <vector>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// What connects the cells of a box, by its edges and permeabilities; its columns line by line, without wells and
/// without an order of elimination.
ColumnNetwork box_network(const BoxCase& box);

/// Pore volumes [Y, X, Z] [m3], those of the aquifer at the sides; 0 in inactive cells.
std::vector<double> box_pore_volumes(const BoxCase& box);

}  // namespace plumecast
