#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumecast {

/// A number as messages show it: six significant digits ("0.05", "1e-06", "12000"), "NaN", "infinity" or "-infinity".
std::string number_text(double value);

/// "1 case", "2 cases": a number with its noun, whose plural takes an s.
inline std::string counted(std::int64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace plumecast
