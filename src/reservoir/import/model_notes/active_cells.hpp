#pragma once

#include <cstdint>
#include <vector>

#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {

/// What mark_inactive() finds.
struct FoundCells {
    /// A mark per cell for those whose values the arrays of the run hold: PORV tells them where grid file and INIT
    /// disagree, as with MINPV, GDFILE or Intersect.
    std::vector<std::uint8_t> stored;
    UndefinedCells undefined;
};

/// Makes the cells of a run inactive that have no pore volume, where PORV, PORO or NTG of the INIT file `initial` is 0,
/// and those in which a property holds no value.
FoundCells mark_inactive(eclipse::CornerPointGrid& grid, eclipse::StepFiles& initial);

}  // namespace plumecast
