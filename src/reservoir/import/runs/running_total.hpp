#pragma once

#include <vector>

namespace plumecast {

/// A quantity that is known on some days and runs along straight lines between them.
struct RunningTotal {
    std::vector<double> days;  ///< increasing
    std::vector<double> values;

    /// The first value before the first day, the last one after the last.
    double at(double day) const;
    /// Adds a day; one that does not come after the last, or is no number, is left out.
    void add(double day, double value);
};

/// The days of all totals that lie between two days, with these, in order; what is within rounding of another is left
/// out.
std::vector<double> common_days(const std::vector<const RunningTotal*>& totals, double from, double to);

}  // namespace plumecast
