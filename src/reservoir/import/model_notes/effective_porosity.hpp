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

/// Porosity times net to gross of `cells` cells. Where the model states another pore volume (MULTPV, PORV), the
/// porosity is that volume over the volume of the cell, up to 1. Where a pore volume is larger,
/// all are given where they can be kept beside the porosity, else it is left out; both are noted. Throws
/// InvalidData when the model has no PORO, and for PORO, NTG or PORV that no rock has.
EffectivePorosity effective_porosity(ReservoirModel& model, std::int64_t cells, bool keeps_volumes);

}  // namespace plumecast
