#include "reservoir/metrics/limited_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {
namespace {

/// The days between two within which there is a rate, from the first to the last of them; the two of a constant rate.
std::pair<double, double> injecting_between(const InjectionSchedule& schedule, double first, double last) {
    std::optional<std::pair<double, double>> days;
    double start = 0.0;
    for (std::size_t period = 0; period < schedule.ends.size(); ++period) {
        const double end = schedule.ends[period];
        if (schedule.rates[period] > 0.0 && end > first && start < last) {
            days = {days ? days->first : std::max(start, first), std::min(end, last)};
        }
        start = end;
    }
    return days.value_or(std::pair(first, last));
}

}  // namespace

std::optional<LimitedRate> limited_rate(const CaseFields& fields, std::span<const double> times) {
    constexpr double rounding = 1e-4;  // of masses in single precision, per mass of the interval
    if (fields.injected_mass.empty() || !std::isfinite(fields.bottom_hole_pressure_limit)) {
        return std::nullopt;
    }
    std::optional<LimitedRate> limited;
    double start = 0.0, before = 0.0;
    for (std::size_t t = 0; t < times.size(); ++t) {
        const double asked = fields.injected(times[t]) - fields.injected(start);
        const double injected = fields.injected_mass[t] - before;
        if (asked - injected > rounding * (asked + 0.01 * fields.injected(times[t]))) {
            const auto [from, to] = injecting_between(fields.schedule, start, times[t]);
            limited = {limited ? limited->from : from, to};
        }
        start = times[t];
        before = fields.injected_mass[t];
    }
    if (limited) {
        limited->injected = fields.injected_mass.back();
        limited->asked = fields.injected(times.back());
    }
    return limited;
}

}  // namespace plumecast
