#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <plumecast/reservoir/dataset/cases/case_inputs.hpp>

namespace plumecast {

/// Numbers that sum up a case, by name.
using CaseFeatures = std::map<std::string, double>;

/// What the inputs of a case are in few numbers, each about as large in any case: rate, pressure, temperature,
/// thickness, mean and spread of the logarithm of the permeability and of its anisotropy, porosity, perforated share of
/// the height and the scalars of the rock (docs/report.md). Optional inputs that the file lacks are left out. Throws
/// InvalidData for a damaged file.
CaseFeatures input_features(const Dataset& dataset, std::int64_t which);
/// The same of inputs that are in memory.
CaseFeatures input_features(const CaseInputs& inputs);

}  // namespace plumecast
