#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

/// A cell that the plume reached.
struct ReachedCell {
    std::size_t cell = 0;  ///< place in [Z, R] or [Z, Y, X]
    std::size_t time = 0;  ///< first of the times at which it belongs to the plume
};

/// The active cells whose gas saturation is above `threshold` at any time of a case, cell by cell.
std::vector<ReachedCell> reached_cells(const CaseFields& fields, double threshold);

/// When a plume came to where it is, between two times of its data set [day].
struct ArrivalTime {
    double not_before = 0.0;  ///< the time before that at which it is there first; 0 of the first time
    double at_latest = 0.0;   ///< that time
};
ArrivalTime arrival_time(const ReachedCell& reached, std::span<const double> times);

}  // namespace plumecast
