#pragma once

#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/simulation/flow_results.hpp"

namespace plumecast {

/// Arrays of the data set for a case: maps over all rows of the grid, zero below the formation, outputs rounded to
/// `output_bits` bits of mantissa.
FinishedCase finished_case(const Reservoir& reservoir, const FlowResults& results, int output_bits);
FinishedCase finished_case(const BoxReservoir& reservoir, const FlowResults& results, int output_bits);
/// The same without outputs: what is known before a simulation.
FinishedCase drawn_case(const Reservoir& reservoir);
FinishedCase drawn_case(const BoxReservoir& reservoir);

}  // namespace plumecast
