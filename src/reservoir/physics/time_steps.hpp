#pragma once

#include <cmath>
#include <vector>

namespace plumecast {

/// Ends of the `substeps` time steps between two times: of equal length from 0 on, and each longer than the one
/// before by the same factor later, as the pressure moves along the logarithm of time. The last is `end` itself.
inline std::vector<double> step_ends(double start, double end, int substeps) {
    std::vector<double> ends;
    for (int step = 1; step < substeps; ++step) {
        const double part = static_cast<double>(step) / static_cast<double>(substeps);
        ends.push_back(start > 0.0 ? start * std::pow(end / start, part) : end * part);
    }
    ends.push_back(end);
    return ends;
}

}  // namespace plumecast
