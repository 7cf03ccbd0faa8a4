#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/report_content.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {
namespace {

/// Thousands apart, as in 12,300.
std::string grouped(const std::string& digits) {
    std::string result;
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > begin && (digits.size() - i) % 3 == 0) {
            result += ',';
        }
        result += digits[i];
    }
    return result;
}

}  // namespace

std::string short_title(const std::string& series) {
    const Quantity* figure = find_quantity(QuantityKind::figure, series);
    return figure == nullptr ? series : figure->title;
}

std::string shown(double value) {
    if (!std::isfinite(value)) {
        return "-";
    }
    const double size = std::abs(value);
    constexpr double smallest = 1e-3;
    constexpr double largest = 1e9;
    if (size != 0.0 && (size < smallest || size >= largest)) {
        return fmt::format("{:.2e}", value);
    }
    constexpr int digits = 3;
    const int before = size == 0.0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    if (before >= digits) {
        const double step = std::pow(10.0, before - digits);
        return grouped(fmt::format("{:.0f}", std::round(value / step) * step));
    }
    return fmt::format("{:.{}f}", value, size == 0.0 ? 0 : digits - before);
}

std::string known_digits(double value, double resolution) {
    if (!std::isfinite(value)) {
        return "nan";
    }
    constexpr int digits = 7;  // of single precision
    if (!(resolution > 0.0) || value == 0.0) {
        return fmt::format("{:.{}g}", value, digits);
    }
    const int known = static_cast<int>(std::floor(std::log10(resolution / 100.0)));
    const int most = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1 - digits;
    const int last = std::max(known, most);  // decimal place of the last digit, as a power of ten
    if (last >= 0) {
        const double step = std::pow(10.0, last);
        return fmt::format("{:.0f}", std::round(value / step) * step);
    }
    return fmt::format("{:.{}f}", value, -last);
}

Shown shown_unit(const std::string& unit, double largest) {
    constexpr double in_kilometre = 1e3;
    constexpr double square_metres = 1e4;  // up to which they are shown as such
    if (unit == "m" && largest >= 10.0 * in_kilometre) {
        return {1.0 / in_kilometre, "km"};
    }
    if (unit == "m2") {
        return largest >= square_metres ? Shown{1e-6, "km2"} : Shown{1.0, "m2"};
    }
    return {1.0, unit == "1" ? "-" : unit};
}

}  // namespace plumecast
