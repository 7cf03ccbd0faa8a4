#include "plotting/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast {

namespace {

double round_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1.0 - 1e-9)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

void check_finite(double low, double high) {
    if (!std::isfinite(low) || !std::isfinite(high)) {
        throw InvalidInput("an axis from " + number_text(low) + " to " + number_text(high) +
                           " cannot be drawn (its ends must be finite); check the values for NaN and infinity");
    }
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int count) {
    check_finite(low, high);
    if (low > high) {
        std::swap(low, high);
    }
    if (low == high) {
        return {low};
    }
    const double step = round_step((high - low) / std::max(1, count));
    const double slack = 1e-6 * step;
    std::vector<double> ticks;
    for (double index = std::ceil((low - slack) / step); index * step <= high + slack; index += 1.0) {
        ticks.push_back(index == 0.0 ? 0.0 : index * step);
    }
    return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
    check_finite(low, high);
    if (!(low > 0.0 && low <= high)) {
        throw InvalidInput("a logarithmic axis from " + number_text(low) + " to " + number_text(high) +
                           " cannot be drawn (its ends must be positive and in order); use a linear axis");
    }
    const auto inside = [low, high](double tick) { return tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9); };
    std::vector<double> powers;
    std::vector<double> between;
    for (double exponent = std::floor(std::log10(low)); exponent <= std::ceil(std::log10(high)); exponent += 1.0) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * std::pow(10.0, exponent);
            if (inside(tick)) {
                between.push_back(tick);
                if (factor == 1.0) {
                    powers.push_back(tick);
                }
            }
        }
    }
    return powers.size() < 3 ? between : powers;
}

std::string tick_text(double value, double step) {
    const double size = std::abs(value);
    if (size != 0.0 && (size < 1e-4 || size >= 1e6)) {
        return fmt::format("{:g}", value);
    }
    int digits = 0;
    while (digits < 6 && std::abs(step * std::pow(10.0, digits) - std::round(step * std::pow(10.0, digits))) > 1e-6) {
        ++digits;
    }
    return fmt::format("{:.{}f}", value, digits);
}

std::string time_text(double days) {
    const auto counted = [](double amount, const char* unit) {
        const double rounded = amount < 9.95 ? std::round(amount * 10.0) / 10.0 : std::round(amount);
        return fmt::format("{:g} {}{}", rounded, unit, rounded == 1.0 ? "" : "s");
    };
    if (days < 1.0) {
        return counted(days * 24.0, "hour");
    }
    return days < 364.0 ? counted(days, "day") : counted(days / 365.25, "year");
}

double PlotAxis::position(double value) const {
    const double fraction = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return begin + fraction * (end - begin);
}

double PlotAxis::value(double position) const {
    const double fraction = (position - begin) / (end - begin);
    return logarithmic ? low * std::pow(high / low, fraction) : low + fraction * (high - low);
}

std::vector<double> PlotAxis::ticks(double spacing) const {
    const auto powers = logarithmic ? logarithmic_ticks(low, high) : std::vector<double>();
    // A part of a decade may hold too few of them to read a value.
    return powers.size() > 2 ? powers : linear_ticks(low, high, static_cast<int>(std::abs(end - begin) / spacing));
}

std::string PlotAxis::text(double tick, const std::vector<double>& ticks) const {
    if (logarithmic) {
        return tick_text(tick, tick);
    }
    return tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : tick);
}

}  // namespace plumecast
