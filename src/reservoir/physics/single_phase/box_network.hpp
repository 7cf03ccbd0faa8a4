#pragma once

#include <vector>

#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// All rows of a box; its columns line by line, those with wells eliminated last.
ColumnNetwork box_network(const BoxCase& box, const std::vector<BoxCaseWell>& wells);

/// Pore volumes [Y, X, Z] [m3], those of the aquifer at the sides; 0 in inactive cells.
std::vector<double> box_pore_volumes(const BoxCase& box);

}  // namespace plumecast
