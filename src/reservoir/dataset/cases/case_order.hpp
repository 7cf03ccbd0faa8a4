#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast {

/// A case with its place in an order that depends on its content and a seed alone.
struct OrderedCase {
    std::string fingerprint;
    double place = 0.0;  ///< in [0, 1)
    std::int64_t row = 0;
};

/// All cases of a data set in the order of the file; nothing when `progress` asked to stop. Throws InvalidData.
std::optional<std::vector<OrderedCase>> order_cases(const Dataset& dataset, std::int64_t seed,
                                                    const CaseProgress& progress);

}  // namespace plumecast
