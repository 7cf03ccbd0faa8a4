#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// Porosity that makes pore volumes of bulk volumes.
struct EffectivePorosity {
    std::vector<double> values;  ///< of the cells of a model; porosity times net to gross, unless PORV says more
    /// Pore volumes of the cells [m3] where those of some are beyond a porosity of 1 and are kept; else empty.
    std::vector<double> pore_volumes;
    std::vector<std::string> notes;  ///< what departs from PORO times NTG, in words
};

/// Porosity times net to gross of the cells of a model with the grid `shape`. Where the model states another pore
/// volume (MULTPV, PORV), the porosity is that volume over the volume of the cell in a data set, up to 1. Straight
/// pillars of a wedge make chords of arcs: there the porosity is sin(a) / a times as large, a being the angle, so that
/// the whole ring holds what the wedge does of its share. Where a pore volume is beyond a porosity of 1, all are given
/// on grids that keep them beside the porosity, which radial ones do not; else it is left out. All is noted. Throws
/// InvalidData when the model has no PORO, and for PORO, NTG or PORV that no rock has.
EffectivePorosity effective_porosity(ReservoirModel& model, const StoredGrid& shape);

}  // namespace plumecast
