#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "plotting/section_plot.hpp"

namespace plumecast {

namespace {

// The next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten.
double rounded_up(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (value <= factor * power * (1.0 + 1e-9)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

/// The next of 1, 2, 5 times a power of ten that is not below a value, and the last that is not above it.
double up_to_round(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (value <= factor * power * (1.0 + 1e-6)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}
double down_to_round(double value) { return 1.0 / up_to_round(1.0 / value); }

/// Smallest and largest positive value in active cells; the first is above the second when there is none.
std::pair<double, double> positive_range(const std::vector<std::vector<float>>& maps,
                                         const std::vector<float>& active) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0.0;
    for (const std::vector<float>& map : maps) {
        for (std::size_t i = 0; i < std::min(map.size(), active.size()); ++i) {
            if (active[i] != 0.0F && std::isfinite(map[i]) && map[i] > 0.0F) {
                low = std::min(low, static_cast<double>(map[i]));
                high = std::max(high, static_cast<double>(map[i]));
            }
        }
    }
    return {low, high};
}

std::pair<double, double> range_of(const std::vector<std::vector<float>>& maps, const std::vector<float>& active) {
    double low = 0.0;
    double high = 0.0;
    for (const std::vector<float>& map : maps) {
        for (std::size_t i = 0; i < std::min(map.size(), active.size()); ++i) {
            if (active[i] != 0.0F && std::isfinite(map[i])) {
                low = std::min(low, static_cast<double>(map[i]));
                high = std::max(high, static_cast<double>(map[i]));
            }
        }
    }
    return {low, high};
}

void require_equal_sizes(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) {
        throw InvalidInput("maps of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                           " cells have no difference (they are of different grids); compare fields of one grid");
    }
}

}  // namespace

double ColourScale::fraction(double value) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

std::vector<float> map_difference(const std::vector<float>& a, const std::vector<float>& b) {
    require_equal_sizes(a, b);
    std::vector<float> difference(a.size());
    std::ranges::transform(a, b, difference.begin(), std::minus<>());
    return difference;
}

std::vector<float> map_ratio(const std::vector<float>& a, const std::vector<float>& b) {
    require_equal_sizes(a, b);
    std::vector<float> ratio(a.size());
    std::ranges::transform(a, b, ratio.begin(), std::divides<>());
    return ratio;
}

ColourScale sequential_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                             std::string label) {
    auto [low, high] = range_of(maps, active);
    // A dip of a hundredth of the range would waste a good part of the map once rounded.
    low = low < -0.01 * high ? -rounded_up(-low) : 0.0;
    high = high > 0.0 ? rounded_up(high) : 0.0;
    return {low, high > low ? high : low + 1.0, ColourMap::sequential, std::move(label)};
}

ColourScale symmetric_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                            std::string label) {
    const auto [low, high] = range_of(maps, active);
    const double most = std::max(-low, high);
    const double end = most > 0.0 ? rounded_up(most) : 1.0;
    return {-end, end, ColourMap::diverging, std::move(label)};
}

ColourScale logarithmic_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                              std::string label) {
    const auto [low, high] = positive_range(maps, active);
    if (low > high) {
        return sequential_scale(maps, active, std::move(label));
    }
    const double first = down_to_round(low);
    const double last = up_to_round(high);
    return {first, last > first * 1.5 ? last : 10.0 * first, ColourMap::sequential, std::move(label), true};
}

ColourScale ratio_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                        std::string label) {
    const auto [low, high] = positive_range(maps, active);
    const double most = low > high ? 1.0 : std::max(high, 1.0 / low);
    const double end = up_to_round(std::max(most, 2.0));
    return {1.0 / end, end, ColourMap::diverging, std::move(label), true};
}

double picture_radius(double plume_radius, const std::vector<double>& r_edges) {
    if (r_edges.empty()) {
        return 0.0;
    }
    if (!(plume_radius > 0.0)) {
        return r_edges.back();
    }
    const double wanted = 1.25 * plume_radius;
    const double unit = std::pow(10.0, std::floor(std::log10(wanted)) - 1.0);
    return std::min(r_edges.back(), std::ceil(wanted / unit - 1e-9) * unit);
}

}  // namespace plumecast
