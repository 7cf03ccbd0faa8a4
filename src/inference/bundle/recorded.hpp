#pragma once

#include <string>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// Ranges of all networks together that a bundle records of its training; none where it has no record. Throws
/// InvalidInput for a damaged one.
InputRanges recorded_ranges(const Bundle& bundle);

/// What a bundle records to judge its predictions by. Throws InvalidModel for a damaged record.
TrustRecord recorded_trust(const Bundle& bundle);

/// Attributes of a result file that the bundle predicts for an input.
FileAttributes result_attributes(const Bundle& bundle, const std::string& input);

}  // namespace plumecast
