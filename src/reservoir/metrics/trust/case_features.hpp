#pragma once

#include <cstdint>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/dataset/cases/case_inputs.hpp"

namespace plumecast {

/// What the inputs of a case are in few numbers, each about as large in any case: rate, pressure, temperature,
/// thickness, mean and spread of the logarithm of the permeability and of its anisotropy, porosity, perforated share of
/// the height and the scalars of the rock (docs/report.md). Optional inputs that the file lacks are left out. Throws
/// InvalidData for a damaged file.
CaseFeatures input_features(const Dataset& dataset, std::int64_t which);
/// The same of inputs that are in memory.
CaseFeatures input_features(const CaseInputs& inputs);

}  // namespace plumecast
