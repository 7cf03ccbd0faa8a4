#pragma once

#include <cstdint>
#include <vector>

#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/restart.hpp"

namespace plumecast {

/// Makes the cells of a run inactive that have no pore volume: PORV, PORO or NTG of the INIT file `initial` is 0 there.
/// Returns a mark per cell for those whose values the arrays of the run hold: PORV tells them where grid file and INIT
/// disagree, as with MINPV, GDFILE or Intersect.
std::vector<std::uint8_t> settle_active(eclipse::CornerPointGrid& grid, eclipse::StepFiles& initial);

}  // namespace plumecast
