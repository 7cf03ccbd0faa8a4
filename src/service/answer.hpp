#pragma once

#include <string>
#include <vector>

#include "service/computation.hpp"

namespace plumecast::service {

/// The JSON of computed cases: of each case the verdict with its reasons first, then notes, the figures, series and
/// findings of the report; then times and grid, and those of the fields that are asked for, [N][T][Z][R] to five
/// digits, null in inactive cells. Throws InvalidInput for a field that there is not.
std::string answer_json(const ComputedCases& computed, const std::vector<std::vector<std::string>>& notes,
                        const Measure& measure, const std::vector<std::string>& fields);

/// Throws InvalidInput naming `entry` of the request for a field that is not among `known`.
void require_known(const std::string& field, const std::vector<std::string>& known, const std::string& entry);

/// Throws InvalidInput for fields that are not among `known` or named twice.
void require_fields(const std::vector<std::string>& fields, const std::vector<std::string>& known);

}  // namespace plumecast::service
