#include "reservoir/import/injection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/units.hpp>

namespace plumecast {
namespace {

constexpr double least_share_of_mean = 0.01;  // of the rate, by which a step counts as injecting
constexpr double steady_share = 0.02;         // of the total, by which what was injected may depart from a steady rate

/// When something is injected; days since the start.
struct InjectingPeriod {
    double begin = 0.0;
    double end = 0.0;
    double length = 0.0;  ///< without pauses
    double volume = 0.0;
};

InjectingPeriod period_of(const InjectionHistory& history) {
    InjectingPeriod period;
    period.volume = history.volumes.back();
    const double mean = period.volume / history.days.back();
    for (std::size_t i = 1; i < history.days.size(); ++i) {
        const double length = history.days[i] - history.days[i - 1];
        if (history.volumes[i] - history.volumes[i - 1] > least_share_of_mean * mean * length) {
            period.begin = period.length == 0.0 ? history.days[i - 1] : period.begin;
            period.end = history.days[i];
            period.length += length;
        }
    }
    return period;
}

/// The largest departure of what was injected from a steady rate within the period, as a share of the total.
double unsteadiness(const InjectionHistory& history, const InjectingPeriod& period) {
    double most = 0.0;
    for (std::size_t i = 0; i < history.days.size(); ++i) {
        const double day = std::clamp(history.days[i], period.begin, period.end);
        const double steady = period.volume * (day - period.begin) / (period.end - period.begin);
        most = std::max(most, std::abs(history.volumes[i] - steady) / period.volume);
    }
    return most;
}

std::string assumption_of(const InjectionHistory& history, const InjectingPeriod& period, double rate, double last) {
    const double slack = steady_share * last;
    std::string what;
    if (period.begin > slack) {
        what = fmt::format("injection begins on day {:.6g}", period.begin);
    }
    if (period.end < last - slack) {
        what += fmt::format("{}ends on day {:.6g} of {:.6g}", what.empty() ? "injection " : " and ", period.end, last);
    }
    const double unsteady = unsteadiness(history, period);
    if (unsteady > steady_share) {
        what += fmt::format("{} to {:.2g} % of the total",
                            what.empty() ? "the rate varies, up" : ", the rate varies, up", 100.0 * unsteady);
    }
    return what.empty() ? what
                        : fmt::format(
                              "{} (a data set holds one rate for all times: {:.4g} Mt/year, the mean while "
                              "something is injected)",
                              what, rate);
}

/// The rate that the values state.
std::optional<double> stated_rate(const CaseValues& values) {
    if (values.injection_rate || values.wells.empty()) {
        return values.injection_rate;
    }
    return std::accumulate(values.wells.begin(), values.wells.end(), 0.0,
                           [](double sum, const WellValues& well) { return sum + well.rate; });
}

}  // namespace

std::optional<Injection> injection_of(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps) {
    const std::optional<double> stated = stated_rate(values);
    Injection injection;
    injection.rate = stated.value_or(0.0);
    const auto history = steps.snapshots.empty()
                             ? std::nullopt
                             : model.injected(values.injection_start, values.injection_start + steps.times.back());
    const bool has_history = history && history->volumes.back() > 0.0;
    if (!has_history || (!stated && !values.surface_density)) {
        return stated ? std::optional(injection) : std::nullopt;
    }
    const InjectingPeriod period = period_of(*history);
    const double years = period.length / days_per_year;
    // A stated rate is that of the injecting period too, and tells what a volume of gas weighs.
    const double density = stated ? *stated * years / period.volume : *values.surface_density / kilograms_per_megatonne;
    injection.rate = period.volume * density / years;
    for (const double day : steps.times) {
        injection.mass.push_back(history->until(day) * density);
    }
    injection.assumption = assumption_of(*history, period, injection.rate, steps.times.back());
    return injection;
}

double InjectionHistory::until(double day) const {
    const auto after = std::ranges::lower_bound(days, day);
    if (after == days.begin() || after == days.end()) {
        return after == days.end() ? volumes.back() : volumes.front();
    }
    const auto i = static_cast<std::size_t>(after - days.begin());
    const double share = (day - days[i - 1]) / (days[i] - days[i - 1]);
    return volumes[i - 1] + share * (volumes[i] - volumes[i - 1]);
}

}  // namespace plumecast
