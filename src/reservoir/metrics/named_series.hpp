#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace plumecast {

/// A quantity of a case at each time.
struct NamedSeries {
    std::string name;         ///< "plume_radius_0.01"
    std::string unit;         ///< of the data set format: "m", "m2", "bar", "Mt", "1"
    std::string description;  ///< "plume radius, saturation above 0.01"
    std::vector<double> values;
    /// Of sizes: width of the column (area for areas) that the edge lies in, in the same unit; empty for others.
    std::vector<double> resolution = {};
    /// Of figures of a result by a calibrated model: the ends of the interval that holds at all times together, NaN
    /// where the case has none; empty for others.
    std::vector<double> low = {}, high = {};

    /// Whether the interval of this case is known.
    bool has_interval() const { return !low.empty() && !std::isnan(low.back()); }
};

/// A figure of the table of quantities, which has its unit and the description that `beside` ends. Throws Error for a
/// name that the table lacks.
NamedSeries named_series(const std::string& name, std::vector<double> values, std::vector<double> resolution = {},
                         const std::string& beside = "");

}  // namespace plumecast
