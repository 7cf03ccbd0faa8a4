#include "reservoir/metrics/limited_rate.hpp"

#include <cmath>
#include <cstddef>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

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
            limited = {limited ? limited->from : start, times[t]};
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
