#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <plumecast/data/dataset.hpp>
#include <plumecast/metrics/errors.hpp>

namespace plumecast {

/// Errors of one output of a file against the same output of another, case by case.
struct FieldComparison {
    std::string name;
    std::string unit;
    ErrorSummary errors;
};

/// Told how many cases are done and of how many; false stops.
using ComparisonProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

/// Compares all outputs that both files hold, over the active cells, with values as they are stored. Empty when
/// `progress` said to stop. Throws InvalidInput when the files have no output in common, or when cases, grids, times or
/// the inputs of a case differ.
std::vector<FieldComparison> compare_fields(const Dataset& fields, const Dataset& simulated,
                                            const ComparisonProgress& progress);

}  // namespace plumecast
