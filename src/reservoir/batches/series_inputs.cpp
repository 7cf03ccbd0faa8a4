#include "reservoir/batches/series_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/cases/case_schedule.hpp"

namespace plumecast {
namespace {

/// The schedule of a case with the fewest periods; one of the constant rate, without an end, where there is none.
InjectionSchedule injection_of(const Dataset& dataset, std::int64_t which) {
    if (!dataset.schedule_ends().empty()) {
        return stated_schedule(dataset, which).joined();
    }
    const auto rate = static_cast<double>(dataset.scalar("injection_rate")[static_cast<std::size_t>(which)]);
    return {{HUGE_VAL}, {rate}};
}

double since_change(const InjectionSchedule& injection, double day) {
    const auto period = std::ranges::lower_bound(injection.ends, day);
    return period == injection.ends.begin() ? day : day - *(period - 1);
}

std::size_t active_cells(const Dataset& dataset, std::int64_t which) {
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map("active", {&which, 1}, active);
    return active.size() - static_cast<std::size_t>(std::ranges::count(active, 0.0F));
}

/// Root mean square of the build-up of a case at each time, without the least share.
std::vector<double> rms_by_time(const Dataset& dataset, std::int64_t which, const PhysicsFields& physics) {
    const std::vector<float>& buildup = physics.fields.find("physics_pressure_buildup")->second;
    const auto cells = static_cast<std::size_t>(dataset.cells());
    const auto active = static_cast<double>(active_cells(dataset, which));
    std::vector<double> rms(buildup.size() / cells);
    for (std::size_t t = 0; t < rms.size(); ++t) {
        double sum = 0.0;
        for (std::size_t i = t * cells; i < (t + 1) * cells; ++i) {
            sum += static_cast<double>(buildup[i]) * static_cast<double>(buildup[i]);  // 0 in inactive cells
        }
        rms[t] = std::sqrt(sum / active);
    }
    return rms;
}

double least_rms(const PhysicsFields& physics) {
    return least_share_of_rms * physics.scalars.find("physics_buildup_rms")->second;
}

}  // namespace

std::vector<double> series_input(const Dataset& dataset, std::string_view name, std::int64_t which,
                                 const PhysicsFields* physics) {
    if (name == "physics_buildup_rms_by_time") {
        expects(physics != nullptr, "the physics of the case");
        std::vector<double> rms = rms_by_time(dataset, which, *physics);
        const double least = least_rms(*physics);
        std::ranges::transform(rms, rms.begin(), [least](double value) { return std::max(value, least); });
        return rms;
    }
    const InjectionSchedule injection = injection_of(dataset, which);
    const std::vector<double>& times = dataset.times();
    std::vector<double> values(times.size());
    if (name == "current_injection_rate") {
        std::ranges::transform(times, values.begin(), [&](double day) { return injection.rate(day); });
    } else if (name == "injected_co2") {
        std::ranges::transform(times, values.begin(), [&](double day) { return injection.injected(day); });
    } else if (name == "time_since_rate_change") {
        std::ranges::transform(times, values.begin(), [&](double day) { return since_change(injection, day); });
    } else {
        throw InvalidInput("no series " + std::string(name) +
                           " (known: current_injection_rate, injected_co2, time_since_rate_change, "
                           "physics_buildup_rms_by_time); use one of them");
    }
    return values;
}

void add_series_cotangents(const Dataset& dataset, std::string_view name, std::span<const double> cotangents,
                           CaseCotangents& inputs) {
    if (name == "time_since_rate_change") {
        return;  // the times of changes are held fixed
    }
    const bool is_rate = name == "current_injection_rate";
    const std::vector<double>& times = dataset.times();
    const std::vector<double>& ends = dataset.schedule_ends();
    const std::size_t periods = std::max<std::size_t>(ends.size(), 1);
    const std::size_t rates =
        ends.empty() ? 1 : dataset.schedule_rates().size() / static_cast<std::size_t>(dataset.cases());
    std::vector<double> by_period(periods);
    for (std::size_t p = 0; p < periods; ++p) {
        InjectionSchedule unit{ends, std::vector<double>(ends.size(), 0.0)};
        if (ends.empty()) {
            unit = {{HUGE_VAL}, {1.0}};
        } else {
            unit.rates[p] = 1.0;
        }
        for (std::size_t t = 0; t < times.size(); ++t) {
            by_period[p] += cotangents[t] * (is_rate ? unit.rate(times[t]) : unit.injected(times[t]));
        }
    }
    std::vector<double>& sum = inputs[ends.empty() ? "injection_rate" : "schedule_rate"];
    sum.resize(rates);
    for (std::size_t i = 0; i < rates; ++i) {  // [W, P]: a rate is that of all wells together
        sum[i] += by_period[i % periods];
    }
}

BuildupCotangents buildup_cotangents(const Dataset& dataset, std::int64_t which, std::span<const double> cotangents,
                                     const PhysicsFields& physics) {
    const std::vector<float>& buildup = physics.fields.find("physics_pressure_buildup")->second;
    const std::vector<double> rms = rms_by_time(dataset, which, physics);
    const auto active = static_cast<double>(active_cells(dataset, which));
    const double least = least_rms(physics);
    BuildupCotangents by{std::vector<double>(buildup.size()), 0.0};
    const std::size_t cells = buildup.size() / rms.size();
    for (std::size_t t = 0; t < rms.size(); ++t) {
        if (rms[t] <= least) {
            by.rms += least_share_of_rms * cotangents[t];
            continue;
        }
        for (std::size_t i = t * cells; i < (t + 1) * cells; ++i) {
            by.field[i] = cotangents[t] * static_cast<double>(buildup[i]) / (active * rms[t]);
        }
    }
    return by;
}

}  // namespace plumecast
