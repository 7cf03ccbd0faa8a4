#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/generation/case_simulator.hpp"
#include "reservoir/simulation/flow_process.hpp"
#include "reservoir/simulation/stated_box_deck.hpp"

namespace plumecast {

/// Throws InvalidData naming what these cases of a data set have that decks cannot describe: brine that starts at a
/// temperature of its own, radial grids with inactive cells above active ones, corner-point grids without their
/// corners.
void require_described(const Dataset& dataset, const std::vector<std::int64_t>& cases);

/// Throws InvalidData for such cases, for those without a perforated cell, and for those beyond what a release of the
/// simulator can compute: temperatures without CO2 tables or that grow with depth, hysteresis.
void require_simulated(const Dataset& dataset, const std::vector<std::int64_t>& cases, const FlowRelease& release);

/// A radial case of such a data set as it is simulated. Throws InvalidData for inactive cells above active ones, and
/// where nothing is perforated.
Reservoir described_reservoir(const Dataset& dataset, std::int64_t which);

/// The same of a Cartesian data set. Throws InvalidData where it states neither a box nor corners, or no saturation
/// functions; InvalidInput for a case that the reduced physics would refuse.
StatedBox described_box(const Dataset& dataset, std::int64_t which);

/// A case of such a data set, ready for the simulator; it finishes with the inputs of the data set and outputs rounded
/// to `output_bits` bits of mantissa. Errors are those of the two above.
PreparedCase described_case(const Dataset& dataset, std::int64_t which, BrinePhase brine, int output_bits);

}  // namespace plumecast
