#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/errors.hpp>

namespace plumecast {

/// Errors of one output of a file against the same output of another, case by case.
struct FieldComparison {
    std::string name;
    std::string unit;
    ErrorSummary errors;
};

/// What a comparison of two files found.
struct FileComparison {
    std::vector<FieldComparison> fields;  ///< with the errors of `cases`, in their order
    std::vector<std::int64_t> cases;      ///< the cases compared
    std::vector<std::int64_t> skipped;    ///< cases left out: no output has a value in an active cell, only NaN
    /// Cases left out as nothing is injected: errors are relative to nothing.
    std::vector<std::int64_t> without_injection = {};
    bool is_complete = true;  ///< false when `progress` said to stop
};

/// Told how many cases are done and of how many; false stops.
using ComparisonProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

/// An output of a case [cells, T], in the order that errors are measured in. Throws InvalidData, IoError.
std::vector<float> read_times_last(const Dataset& dataset, std::string_view name, std::int64_t which);

/// What becomes of cases in which nothing is injected.
enum class WithoutInjection { compare, leave_out };

/// Compares all outputs that both files hold, over the active cells, with values as they are stored. Leaves out
/// cases of which `fields` has no values: cases that could not be computed. Throws InvalidInput when the files have no
/// output in common, or when cases, grids, times or the inputs of a case differ; InvalidData when no case is left.
FileComparison compare_fields(const Dataset& fields, const Dataset& simulated, const ComparisonProgress& progress,
                              WithoutInjection without_injection = WithoutInjection::leave_out);

}  // namespace plumecast
