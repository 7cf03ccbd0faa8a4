#include "reservoir/dataset/range_text.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace plumecast {

std::string number_text(double value, double low, double high) {
    const std::string ends[] = {number_text(low), number_text(high)};
    std::string text = number_text(value);
    const bool is_end = value == low || value == high;
    for (int digits = 7;
         !is_end && digits <= std::numeric_limits<double>::max_digits10 && std::ranges::count(ends, text) > 0;
         ++digits) {
        text = fmt::format("{:.{}g}", value, digits);
    }
    return text;
}

std::string with_unit(const std::string& number, std::string_view unit) {
    return unit == "1" ? number : fmt::format("{} {}", number, unit);
}

}  // namespace plumecast
