#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

/// An array of the data set format; an attribute of a file that states one number for all cases; an input of networks
/// that is worked out from others; a number of each case under /case; a figure of the report, at each time of a case.
enum class QuantityKind { array, attribute, derived, of_case, figure };

/// The value of a figure that stands for a case: that at the last time, the largest or the least of all times, or none.
enum class KeyValue { none, last, largest, least };

/// A row of the table of quantities.
struct Quantity {
    std::string name;
    QuantityKind kind = QuantityKind::figure;
    std::string unit;     ///< as arrays state theirs: "1", "bar", "degC", "degree"
    std::string meaning;  ///< one line, which files have as `long_name` and reports as description
    double low = -std::numeric_limits<double>::infinity();  ///< smallest value that it can have
    double high = std::numeric_limits<double>::infinity();  ///< largest value that it can have
    std::string formula = {};                               ///< from others, as docs/report.md writes it; or empty
    std::string title = {};                                 ///< of figures: what a column of a table calls it
    KeyValue key_value = KeyValue::none;                    ///< of figures
    /// Whether it goes by longer names: "plume_radius" of a threshold by "plume_radius_0.01".
    bool is_family = false;

    /// Whether a value is possible; NaN never is.
    bool admits(double value) const { return value >= low && value <= high; }
};

/// All of a kind, in the order in which files and reports have them; arrays are those of radial grids, then those of
/// Cartesian grids alone.
std::span<const Quantity> quantities(QuantityKind kind);

/// The quantity of that name, or the family that it belongs to; nullptr where there is none.
const Quantity* find_quantity(QuantityKind kind, std::string_view name);

/// The same of a name that the library itself gives. Throws Error where the table lacks it.
const Quantity& quantity(QuantityKind kind, std::string_view name);

/// "array", "attribute", "derived", "of_case" or "figure".
std::string_view name_of(QuantityKind kind);

/// "0 to 1", "0 or more", "any": the limits of a quantity, with six digits.
std::string limits_text(const Quantity& one);

}  // namespace plumecast
