#pragma once

#include <string>

namespace plumecast {

/// A number as messages show it: six significant digits ("0.05", "1e-06", "12000"), "NaN", "infinity" or "-infinity".
std::string number_text(double value);

}  // namespace plumecast
