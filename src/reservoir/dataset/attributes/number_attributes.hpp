#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plumecast {

/// An attribute of a data set that states one number for all of its cases (docs/data_format.md).
struct NumberAttribute {
    const char* name;
    const char* unit;  ///< as arrays state theirs: "1", "bar", "degC", "degree"
    double low;        ///< smallest admissible value
    double high;       ///< largest admissible value
    const char* long_name;

    /// Whether a data set may state the value; NaN and infinities are never admissible.
    bool admits(double value) const { return value >= low && value <= high; }
};

/// All of them: rock and fluids of the reduced physics, and the rotation of a Cartesian grid.
std::span<const NumberAttribute> number_attributes();

/// That of a name; nullptr where the format has none.
const NumberAttribute* find_number_attribute(std::string_view name);

/// "a number from 0 to 100 bar": what an attribute may state, for messages.
std::string admissible_text(const NumberAttribute& attribute);

}  // namespace plumecast
