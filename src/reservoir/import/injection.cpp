#include "reservoir/import/injection.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/import/model_notes/stated_rates.hpp"
#include "reservoir/import/runs/well_shares.hpp"

namespace plumecast {
namespace {

constexpr double least_share_of_mean = 0.01;  // of the rate, by which a step counts as injecting
constexpr double steady_share = 0.02;         // of the total, by which what was injected may depart from a steady rate
constexpr double earlier_share = 0.005;       // of what follows, that may have been injected before
constexpr double earlier_share_counted_back = 0.02;
constexpr double tolerated_imbalance = 0.005;  // of what was injected
constexpr double tolerated_inactive = 0.001;   // of the gas, that enters cells without volume
constexpr double tolerated_initial_gas = 0.001;

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

/// The last day with a state up to which as good as nothing was injected.
std::optional<double> day_before_injection(ReservoirModel& model, double start, double slack) {
    const std::vector<double>& days = model.times();
    const auto history = model.injected(days.front(), start);
    std::optional<double> found;
    for (const double day : days) {
        if (history && day < start && history->before + history->until(day - days.front()) <= slack) {
            found = day;
        }
    }
    return found;
}

/// Build-up and gas would count from a state that has both.
void refuse_earlier_injection(ReservoirModel& model, const InjectionHistory& history, double start) {
    const double slack =
        (history.restarts.empty() ? earlier_share : earlier_share_counted_back) * history.volumes.back();
    if (!(history.before > slack)) {
        return;
    }
    const std::string amount =
        history.has_volumes ? fmt::format("{:.3g} sm3 of gas were injected", history.before) : "wells were open";
    if (!history.restarts.empty()) {
        throw InvalidData(fmt::format(
            "{}: {} before day {:.6g}, counted back from the first step of the summary (the run goes on from '{}', as "
            "SMSPEC RESTART says, whose summary with the total on that day is not beside it; build-up and gas count "
            "from a state before any injection); import a run that holds such a state",
            model.name(), amount, start, history.restarts));
    }
    const auto day = day_before_injection(model, start, slack);
    throw InvalidData(fmt::format(
        "{}: {} before day {:.6g}, which injection_start names (build-up and gas count from a state before any "
        "injection); {}",
        model.name(), amount, start,
        day ? fmt::format("set injection_start to {:.6g}, a day with such a state", *day)
            : "let the simulator write such a state (RPTRST BASIC=2 in section SOLUTION), and import it too"));
}

/// Shares of the cells in all that was injected. Empty when the model places nothing; throws for a well without cells.
std::vector<Connection> cells_of(const ReservoirModel& model, const InjectionHistory& history) {
    std::map<std::int64_t, double> sums;
    std::string without;
    for (const WellInjection& well : history.wells) {
        for (const auto& [cell, volume] : well.cells) {
            sums[cell] += volume;
        }
        without = well.cells.empty() && well.volumes.back() > 0.0 ? well.name : without;
    }
    if (!sums.empty() && !without.empty()) {
        throw InvalidData(model.name() + ": no connection of well " + without +
                          " (it injects, as the summary says, and its cells are needed); let the simulator write ICON "
                          "to the restart file, or set wells");
    }
    std::vector<Connection> cells;
    for (const auto& [cell, volume] : sums) {
        cells.push_back({cell, volume});
    }
    return cells;
}

/// Says how much of the gas goes into cells that take none in a data set.
void add_inactive_cells(ReservoirModel& model, const std::vector<Connection>& cells, std::vector<std::string>& notes) {
    const eclipse::CornerPointGrid* grid = model.grid();
    double all = 0.0;
    double inactive = 0.0;
    for (const Connection& connection : cells) {
        const auto cell = static_cast<std::size_t>(connection.cell);
        const bool is_active = grid == nullptr || cell >= grid->active().size() || grid->active()[cell] != 0;
        all += connection.rate;
        inactive += is_active ? 0.0 : connection.rate;
    }
    if (inactive > tolerated_inactive * all) {
        notes.push_back(fmt::format(
            "{:.2g} % of the gas goes into cells that are not active (ACTNUM, or without pore volume), and is given to "
            "the others that wells reach; state wells where that matters",
            100.0 * inactive / all));
    }
}

/// "I1 0.54, I2 0.36": of wells that inject.
std::string rates_text(const std::vector<WellShare>& shares, std::optional<double> rate) {
    std::string text;
    for (const WellShare& share : shares) {
        text += text.empty() ? "" : ", ";
        text += rate ? fmt::format("{} {:.4g}", share.name, share.mean * *rate)
                     : fmt::format("{} {:.3g} %", share.name, 100.0 * share.mean);
    }
    return text + (rate ? " Mt/year" : "");
}

/// Tells of wells that take turns: what their means leave out, or why there is no data set without a schedule.
void add_changes(const ReservoirModel& model, const InjectionHistory& history, const std::vector<WellShare>& shares,
                 WellRates rates, Injection& injection) {
    if (!do_change(shares)) {
        return;
    }
    const std::optional<double> rate = injection.rate;
    std::string changes;
    for (const WellShare& share : shares) {
        changes += fmt::format("{}{} {:.3g} to {:.3g} %", changes.empty() ? "" : ", ", share.name, 100.0 * share.least,
                               100.0 * share.most);
    }
    const std::string loss =
        fmt::format("up to {:.2g} % of the CO2 is in the wrong well at a time", 100.0 * misplaced(history, shares));
    if (rates == WellRates::keep_changes) {
        injection.changes = fmt::format(
            "{}: the shares of its wells in the injection change: {} (a schedule needs injected masses and, in all "
            "cases of a file, as many wells; without one there is one rate per well for all times); set "
            "surface_density, choose times before they change, import the case apart, or give "
            "ImportOptions::constant_rates to take the means, {}, so that {}",
            model.name(), changes, rates_text(shares, rate), loss);
        return;
    }
    injection.notes.push_back(fmt::format(
        "the shares of its wells in the injection change: {} (constant rates were asked for and are the means, {}, so "
        "that {}); "
        "choose times before they change to lose nothing",
        changes, rates_text(shares, rate), loss));
}

/// What differs between the gas in place and the gas injected.
void add_imbalance(const std::optional<GasImbalance>& found, std::vector<std::string>& notes) {
    if (found && std::abs(found->share) > tolerated_imbalance) {
        notes.push_back(fmt::format(
            "the run {} {:.3g} % of the injected CO2 up to day {:.6g} (gas in place, FGIP, against FGIT); run it again "
            "with a tighter mass balance before you train on it",
            found->share > 0.0 ? "made" : "lost", 100.0 * std::abs(found->share), found->day));
    }
}

void add_initial_gas(ReservoirModel& model, const CaseSteps& steps, std::vector<std::string>& notes) {
    const std::vector<double> gas = model.gas_saturation(steps.initial);
    const double most = gas.empty() ? 0.0 : std::ranges::max(gas);
    if (most > tolerated_initial_gas) {
        notes.push_back(fmt::format(
            "gas is in place before injection, up to a saturation of {:.3g} (a data set assumes brine alone, and "
            "gas_saturation holds it as if it was injected); leave the case out where that matters",
            most));
    }
    const auto oil = model.oil_saturation(steps.initial);
    const double most_oil = oil && !oil->empty() ? std::ranges::max(*oil) : 0.0;
    if (most_oil > tolerated_initial_gas) {
        notes.push_back(fmt::format(
            "oil is in place before injection, up to a saturation of {:.3g} (a data set assumes brine alone: reduced "
            "physics, and what reports compute of fluids, take brine for it); leave the case out where that matters",
            most_oil));
    }
}

/// Volumes by the columns of the grid.
using ColumnVolumes = std::map<std::int64_t, std::vector<double>>;

/// What each column of the grid took until each day of the history; the gas of a well goes into its active cells as it
/// did in all. One column for what is not placed, or is placed by values. Empty for several wells that values place.
ColumnVolumes volumes_of_columns(ReservoirModel& model, const InjectionHistory& history, const CaseValues& values) {
    const eclipse::CornerPointGrid* grid = model.grid();
    const bool is_placed = std::ranges::any_of(history.wells, [](const auto& well) { return !well.cells.empty(); });
    if (values.wells.size() > 1) {
        return {};
    }
    if (!values.wells.empty() || values.perforation || grid == nullptr || !is_placed) {
        return {{0, history.volumes}};
    }
    ColumnVolumes columns;
    double all = 0.0;
    for (const WellInjection& well : history.wells) {
        std::map<std::int64_t, double> of_well;
        double sum = 0.0;
        for (const auto& [cell, volume] : well.cells) {
            if (grid->active()[static_cast<std::size_t>(cell)] != 0) {
                of_well[cell % (grid->nx() * grid->ny())] += volume;
                sum += volume;
            }
        }
        for (const auto& [column, volume] : of_well) {
            std::vector<double>& volumes = columns[column];
            volumes.resize(history.days.size());
            for (std::size_t i = 0; i < volumes.size(); ++i) {
                volumes[i] += well.volumes[i] * volume / sum;
            }
        }
        all += of_well.empty() ? 0.0 : well.volumes.back();
    }
    if (columns.size() == 1) {
        return {{columns.begin()->first, history.volumes}};
    }
    for (auto& [column, volumes] : columns) {  // FGIT and the sum of WGIT differ by rounding
        std::ranges::transform(volumes, volumes.begin(),
                               [&](double one) { return one * history.volumes.back() / all; });
    }
    return columns;
}

/// A summary counts days from the start of its run in single precision: a day that a state was written on becomes that
/// of the state, so that no period of rates ends some minutes beside it.
void take_days_of_states(std::vector<double>& days, const std::vector<double>& states, double start) {
    constexpr double rounding = 2.5e-7;
    for (const double state : states) {
        const auto after = static_cast<std::size_t>(std::ranges::lower_bound(days, state) - days.begin());
        const bool is_after = after < days.size() && days[after] - state <= rounding * (start + state);
        const bool is_before = after > 1 && state - days[after - 1] <= rounding * (start + state);
        if (is_before && !(is_after && days[after] == state)) {
            days[after - 1] = state;
        } else if (is_after && after > 0) {
            days[after] = state;
        }
    }
}

/// What the history says of times, totals and rates.
void add_history(ReservoirModel& model, const InjectionHistory& history, const CaseValues& values,
                 const CaseSteps& steps, std::optional<double> stated, Injection& injection) {
    const InjectingPeriod period = period_of(history);
    const double years = period.length / days_per_year;
    // A stated rate is that of the injecting period too, and tells what a volume of gas weighs.
    const double density = stated ? *stated * years / period.volume : *values.surface_density / kilograms_per_megatonne;
    injection.rate = period.volume * density / years;
    injection.density = values.surface_density.value_or(density * kilograms_per_megatonne);
    note_run_departure(values, period.volume / years, injection.notes);
    for (const double day : steps.times) {
        injection.mass.push_back(history.until(day) * density);
    }
    injection.departure = assumption_of(history, period, *injection.rate, steps.times.back());
    for (const auto& [column, volumes] : volumes_of_columns(model, history, values)) {
        RunningTotal mass;
        for (std::size_t i = 0; i < history.days.size(); ++i) {
            mass.add(history.days[i], volumes[i] * density);
        }
        const double last = mass.at(steps.times.back());
        const auto beyond = std::ranges::upper_bound(mass.days, steps.times.back()) - mass.days.begin();
        mass.days.resize(static_cast<std::size_t>(beyond));
        mass.values.resize(static_cast<std::size_t>(beyond));
        mass.add(steps.times.back(), last);
        injection.periods.push_back(rate_periods(mass));
    }
}

/// Makes what was injected into a wedge that of the whole ring.
void fill_ring(InjectionHistory& history, double ring_share) {
    const auto fill = [&](std::vector<double>& volumes) {
        std::ranges::transform(volumes, volumes.begin(), [&](double volume) { return volume / ring_share; });
    };
    fill(history.volumes);
    for (WellInjection& well : history.wells) {
        fill(well.volumes);
    }
    if (ring_share < 1.0 && history.has_volumes) {
        history.notes.push_back(
            fmt::format("the cells are a wedge of {:.4g} degrees: injection_rate and injected_mass are those of the "
                        "whole ring, {:.4g} times what the run injects (a stated rate counts for the whole ring too)",
                        360.0 * ring_share, 1.0 / ring_share));
    }
}

/// A run without injection is a case of rate 0; a rate that the values state is kept, and what the run says beside it
/// told.
void add_no_injection(const CaseSteps& steps, std::optional<double> stated, Injection& injection) {
    if (stated.value_or(0.0) > 0.0) {
        injection.notes.push_back(
            fmt::format("the summary of the run counts no injected gas, but the values state "
                        "{:.4g} Mt/year, which is kept; leave it out where the run is right",
                        *stated));
        return;
    }
    injection.rate = 0.0;
    injection.mass.assign(steps.times.size(), 0.0);
    injection.periods = {{{steps.times.back(), 0.0}}};
}

}  // namespace

Injection injection_of(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps, WellRates rates,
                       double ring_share) {
    const std::optional<double> stated = stated_rate(values);
    Injection injection;
    injection.rate = stated;
    injection.density = values.surface_density.value_or(0.0);
    note_wells_departure(values, injection.notes);
    if (steps.snapshots.empty()) {
        return injection;
    }
    const double start = values.injection_start;
    auto history = model.injected(start, start + steps.times.back());
    add_initial_gas(model, steps, injection.notes);
    if (!history) {
        return injection;
    }
    refuse_earlier_injection(model, *history, start);
    take_days_of_states(history->days, steps.times, start);
    const auto imbalance = model.imbalance(*history, start, steps.initial);
    fill_ring(*history, ring_share);
    if (history->has_volumes && !(history->volumes.back() > 0.0)) {
        add_no_injection(steps, stated, injection);
    } else if (history->has_volumes && (stated || values.surface_density)) {
        add_history(model, *history, values, steps, stated, injection);
    }
    const bool has_own_wells = !values.wells.empty() || values.perforation;
    if (!has_own_wells) {
        injection.cells = cells_of(model, *history);
        add_inactive_cells(model, injection.cells, injection.notes);
        const std::vector<WellShare> shares = well_shares(*history);
        injection.wells = rates_text(shares, injection.rate);
        add_changes(model, *history, shares, rates, injection);
    }
    injection.notes.insert(injection.notes.end(), history->notes.begin(), history->notes.end());
    add_imbalance(imbalance, injection.notes);
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
