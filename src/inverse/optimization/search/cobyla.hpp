#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace plumecast {

/// A function to be minimised [N] between bounds, while limits hold.
struct LimitedProblem {
    std::function<double(const std::vector<double>& at)> objective;
    std::vector<double> low, high;
    std::size_t limit_count = 0;
    /// Writes by how much a point is above each limit, at most 0 where it holds.
    std::function<void(const std::vector<double>& at, std::span<double> above)> limits = {};
};

/// How a search begins and when it ends.
struct LimitedSearch {
    double step = 0.1;        ///< of the first points around the start
    double tolerance = 1e-4;  ///< of each variable
    int evaluations = 200;    ///< at most
};

/// Where a search ended, which need not be the best point that it has seen.
struct LimitedMinimum {
    std::vector<double> at;
    bool is_success = false;  ///< as the algorithm says; a point outside the limits may be called one
};

/// COBYLA (Powell 1994) from a point: linear models of objective and limits, without derivatives. Throws what the
/// functions throw, and OutOfMemory.
LimitedMinimum minimised_within_limits(const LimitedProblem& problem, const std::vector<double>& start,
                                       const LimitedSearch& search);

}  // namespace plumecast
