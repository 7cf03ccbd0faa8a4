#include "core/number_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace plumecast {

std::string number_text(double value) {
    if (std::isnan(value)) {
        return "NaN";  // the sign of a NaN means nothing
    }
    if (std::isinf(value)) {
        return value > 0.0 ? "infinity" : "-infinity";
    }
    return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value);
}

}  // namespace plumecast
