#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {

/// An attribute of a data set that states one number for all of its cases (docs/data_format.md).
using NumberAttribute = Quantity;

/// All of them: rock and fluids of the reduced physics, and the rotation of a Cartesian grid.
std::span<const NumberAttribute> number_attributes();

/// That of a name; nullptr where the format has none.
const NumberAttribute* find_number_attribute(std::string_view name);

/// "a number from 0 to 100 bar": what an attribute may state, for messages.
std::string admissible_text(const NumberAttribute& attribute);

}  // namespace plumecast
