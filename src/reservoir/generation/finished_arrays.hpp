#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/case_model/case_sampling.hpp"
#include "reservoir/simulation/flow_results.hpp"

namespace plumecast {

/// Arrays of a case by name, as the data set stores them.
using CaseArrays = std::map<std::string, std::vector<float>>;

/// A case that passed every check: arrays of one case as the data set stores them.
struct FinishedCase {
    std::int64_t number = 0;
    std::optional<Medium> medium;  ///< where the case was drawn
    CaseArrays arrays;
};

/// Values of the active rows over all `cells` of the grid, zero below.
std::vector<float> over_all_rows(std::size_t cells, const std::vector<double>& values);

/// The inputs without axes; `thickness` [m] is that of the active rows.
void add_scalars(const SampledCase& inputs, double thickness, CaseArrays& arrays);

/// Saturation, build-up and dissolved CO2 at all snapshots over all `cells`, rounded to `output_bits` bits of mantissa,
/// and the bottom-hole pressure at each.
void add_outputs(const FlowResults& results, std::size_t cells, int output_bits, CaseArrays& arrays);

}  // namespace plumecast
