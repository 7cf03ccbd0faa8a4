#pragma once

#include <string>
#include <string_view>

namespace plumecast {

/// A number outside of a range as messages show it: as number_text() does, with as many digits as tell it from the
/// ends, "1.0000001" beside 0 to 1.
std::string number_text(double value, double low, double high);
/// A number with its unit, which 1 is none: "12 bar", "0.3".
std::string with_unit(const std::string& number, std::string_view unit);

}  // namespace plumecast
