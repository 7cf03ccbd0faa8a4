#include "reservoir/dataset/turn.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace plumecast {

Turn Turn::by(double degrees) {
    constexpr double rounding = 1e-9;
    constexpr std::array<Turn, 4> quarters = {Turn{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    const double nearest = std::round(degrees / 90.0);
    if (std::abs(degrees - 90.0 * nearest) <= rounding) {
        return quarters[static_cast<std::size_t>((static_cast<long>(nearest) % 4 + 4) % 4)];
    }
    const double angle = degrees * std::numbers::pi / 180.0;
    return {std::cos(angle), std::sin(angle)};
}

Rectangle Turn::around(const Rectangle& rectangle) const {
    Rectangle result{INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (const double x : {rectangle.low_x, rectangle.high_x}) {
        for (const double y : {rectangle.low_y, rectangle.high_y}) {
            const MapPoint corner = of({x, y});
            result = {std::min(result.low_x, corner.x), std::max(result.high_x, corner.x),
                      std::min(result.low_y, corner.y), std::max(result.high_y, corner.y)};
        }
    }
    return result;
}

}  // namespace plumecast
