#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_model/reservoir.hpp"
#include "reservoir/simulation/flow_process.hpp"

namespace plumecast {

/// Throws InvalidData naming what these cases of a data set have that decks of `generate` do not describe: another grid
/// than a radial one, other properties of rock and fluids, or inactive cells above or beside active ones.
void require_described(const Dataset& dataset, const std::vector<std::int64_t>& cases);

/// Throws InvalidData for such cases, for those without a perforated cell, and for those beyond what a release of the
/// simulator can compute: temperatures without CO2 tables, hysteresis.
void require_simulated(const Dataset& dataset, const std::vector<std::int64_t>& cases, const FlowRelease& release);

/// A case of such a data set as it is simulated. Throws InvalidData for inactive cells above active ones, and where
/// nothing is perforated.
Reservoir described_reservoir(const Dataset& dataset, std::int64_t which);

}  // namespace plumecast
