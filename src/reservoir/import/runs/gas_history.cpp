#include "reservoir/import/runs/gas_history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "reservoir/import/runs/connection_notes.hpp"
#include "reservoir/import/runs/connection_rates.hpp"
#include "reservoir/import/runs/running_total.hpp"
#include "reservoir/import/runs/total_checks.hpp"

namespace plumecast {
namespace {

// Of the field's gas, by which the wells of the summary may differ from it.
constexpr double well_sum_tolerance = 0.01;

/// Puts together what one well or all of them injected, in the course of the run [sm3].
class HistoryBuilder {
   public:
    HistoryBuilder(const RunRecord& run, double from, double to) : run_(run), rates_(run), from_(from), to_(to) {}

    std::optional<InjectionHistory> history();

   private:
    /// The day from which on the summary tells what was injected: steps of an earlier run may be missing before it.
    double first_day() const {
        const bool goes_on = !run_.summary.restarts.empty() || run_.days.front() > 0.0;
        return goes_on && !run_.summary.days.empty() ? std::min(run_.days.front(), run_.summary.days.front()) : 0.0;
    }
    RunningTotal of_totals(const std::vector<double>& totals, const std::vector<double>* rates,
                           const std::string& well);
    RunningTotal of_rates(const std::vector<double>& rates) const;
    std::optional<double> rate_of_step(const std::vector<double>* rates, std::size_t step,
                                       const std::string& well) const;
    RunningTotal of_vectors(const std::string& total, const std::string& rate, const std::string& well);
    RunningTotal of_connections() const;
    double at_connections(std::size_t state) const;
    RunningTotal field();
    std::vector<std::pair<std::string, RunningTotal>> wells_of_summary();
    std::vector<std::pair<std::string, RunningTotal>> wells_of_connections(const RunningTotal& field) const;
    std::vector<double> shares(std::size_t state) const;
    bool agree(const std::vector<std::pair<std::string, RunningTotal>>& wells, const RunningTotal& field) const;
    std::map<std::int64_t, double> cells(const std::string& well, const RunningTotal& total) const;
    void add_notes(InjectionHistory& history) const;

    const RunRecord& run_;
    ConnectionRates rates_;
    double from_;
    double to_;
    bool is_counted_back_ = false;
    std::string source_;  // of rates or shares, where no totals tell
};

/// The rate at which a step of the summary was injected, of a well or of the field [sm3/day].
std::optional<double> HistoryBuilder::rate_of_step(const std::vector<double>* rates, std::size_t step,
                                                   const std::string& well) const {
    if (rates != nullptr && std::isfinite((*rates)[step])) {
        return (*rates)[step];
    }
    const auto after = std::ranges::lower_bound(run_.days, run_.summary.days[step]);
    if (!rates_.has_rates() || after == run_.days.end()) {
        return std::nullopt;
    }
    double sum = 0.0;
    for (const std::string& name : rates_.wells()) {
        sum +=
            well.empty() || name == well ? rates_.rate(static_cast<std::size_t>(after - run_.days.begin()), name) : 0.0;
    }
    return sum;
}

/// Of a run that goes on from another one, what had been injected on its first day is counted back from the first
/// step.
RunningTotal HistoryBuilder::of_totals(const std::vector<double>& totals, const std::vector<double>* rates,
                                       const std::string& well) {
    const std::vector<double>& days = run_.summary.days;
    RunningTotal sum;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (!std::isfinite(totals[i])) {
            continue;
        }
        // Of a run that begins itself, totals that are no numbers in its first steps leave out nothing before it.
        const double begin = i > 0 && first_day() > 0.0 ? days[i - 1] : first_day();
        if (sum.days.empty() && begin > 0.0 && days[i] > begin) {
            const auto rate = rate_of_step(rates, i, well);
            if (!rate) {
                throw InvalidData(fmt::format(
                    "{}: no total of the injected gas on day {:.6g} (SMSPEC RESTART names '{}', which this run goes on "
                    "from, and the summary begins on day {:.6g}); put the summary of that run beside it, or import "
                    "that run",
                    run_.name, begin, run_.summary.restarts, days[i]));
            }
            is_counted_back_ = true;
            sum.add(begin, std::max(totals[i] - *rate * (days[i] - begin), 0.0));
        } else if (sum.days.empty()) {
            sum.add(begin, begin > 0.0 ? totals[i] : 0.0);
        }
        sum.add(days[i], totals[i]);
    }
    return sum;
}

/// A rate holds for the step that it ends.
RunningTotal HistoryBuilder::of_rates(const std::vector<double>& rates) const {
    RunningTotal sum;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const double day = run_.summary.days[i];
        if (std::isfinite(rates[i])) {
            if (sum.days.empty()) {
                sum.add(i > 0 ? run_.summary.days[i - 1] : first_day(), 0.0);
            }
            if (sum.days.empty()) {  // the day before is no number
                continue;
            }
            sum.add(day, sum.values.back() + rates[i] * (day - sum.days.back()));
        }
    }
    return sum;
}

/// Of the field, or of a well; empty when the summary has neither vector.
RunningTotal HistoryBuilder::of_vectors(const std::string& total, const std::string& rate, const std::string& well) {
    const std::vector<double>* totals = run_.summary.find(total, well);
    const std::vector<double>* rates = run_.summary.find(rate, well);
    RunningTotal sum;
    if (totals != nullptr && !totals->empty()) {
        sum = of_totals(*totals, rates, well);
        refuse_falling_total(run_, sum, well.empty() ? total : total + " of " + well, from_, to_);
    } else if (rates != nullptr && !rates->empty()) {
        sum = of_rates(*rates);
    }
    return sum;
}

/// What the wells had injected on the day of a state, as far as their connections tell.
double HistoryBuilder::at_connections(std::size_t state) const {
    double sum = 0.0;
    for (const std::string& well : rates_.wells()) {
        sum += rates_.total(state, well).value_or(0.0);
    }
    return sum;
}

RunningTotal HistoryBuilder::of_connections() const {
    RunningTotal sum;
    sum.add(run_.days.front(), at_connections(0));
    for (std::size_t state = 1; state < run_.days.size(); ++state) {
        double amount = 0.0;
        for (const std::string& well : rates_.wells()) {
            amount += rates_.amount(state, well);
        }
        amount = rates_.has_rates() || amount == 0.0 ? amount : run_.days[state] - run_.days[state - 1];
        sum.add(run_.days[state], sum.values.back() + amount);
    }
    return sum;
}

RunningTotal HistoryBuilder::field() {
    RunningTotal sum = of_vectors("FGIT", "FGIR", "");
    if (!sum.days.empty()) {
        source_ = run_.summary.find("FGIT") == nullptr ? "FGIR of the summary, without FGIT" : "";
        return sum;
    }
    const auto wells = wells_of_summary();
    const bool are_all = std::ranges::all_of(rates_.wells(), [this](const std::string& name) {
        return run_.summary.find("WGIT", name) != nullptr || run_.summary.find("WGIR", name) != nullptr;
    });
    if (wells.empty() || (rates_.has_rates() && !are_all)) {
        source_ =
            rates_.has_rates() ? "connections of the restart file (XCON), without a summary of the injection" : "";
        return of_connections();
    }
    source_ = run_.summary.names_of("WGIT").empty() ? "WGIR of the summary, without totals" : "";
    std::vector<const RunningTotal*> totals;
    for (const auto& [name, total] : wells) {
        totals.push_back(&total);
    }
    for (const double day : common_days(totals, first_day(), std::max(to_, run_.summary.days.back()))) {
        double all = 0.0;
        for (const RunningTotal* total : totals) {
            all += total->at(day);
        }
        sum.add(day, all);
    }
    return sum;
}

std::vector<std::pair<std::string, RunningTotal>> HistoryBuilder::wells_of_summary() {
    std::vector<std::string> names = run_.summary.names_of("WGIT");
    for (const std::string& name : run_.summary.names_of("WGIR")) {
        if (std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    std::vector<std::pair<std::string, RunningTotal>> wells;
    for (const std::string& name : names) {
        RunningTotal total = of_vectors("WGIT", "WGIR", name);
        if (total.at(to_) > total.at(from_)) {
            wells.emplace_back(name, std::move(total));
        }
    }
    return wells;
}

/// Shares of the wells in what is injected in the report step that a state ends, or the nearest one that tells.
std::vector<double> HistoryBuilder::shares(std::size_t state) const {
    std::vector<double> shares(rates_.wells().size());
    for (std::size_t distance = 0; distance < run_.days.size(); ++distance) {
        for (const bool is_later : {false, true}) {
            const std::size_t at = is_later ? state + distance : state - distance;  // wraps to beyond the last
            double sum = 0.0;
            for (std::size_t w = 0; at < run_.days.size() && w < shares.size(); ++w) {
                shares[w] = rates_.amount(at, rates_.wells()[w]);
                sum += shares[w];
            }
            if (sum > 0.0) {
                std::ranges::transform(shares, shares.begin(), [sum](double share) { return share / sum; });
                return shares;
            }
        }
    }
    return shares;
}

/// Divides the gas of the field among the wells by their connections.
std::vector<std::pair<std::string, RunningTotal>> HistoryBuilder::wells_of_connections(
    const RunningTotal& field) const {
    std::vector<std::pair<std::string, RunningTotal>> wells;
    for (const std::string& name : rates_.wells()) {
        wells.push_back({name, {{run_.days.front()}, {0.0}}});
    }
    for (std::size_t state = 1; state < run_.days.size() && !wells.empty(); ++state) {
        const double begin = run_.days[state - 1];
        const bool injects = field.at(run_.days[state]) > field.at(begin);
        const std::vector<double> share = injects ? shares(state) : std::vector<double>(wells.size(), 0.0);
        std::vector<double> base;
        for (const auto& [name, total] : wells) {
            base.push_back(total.values.back());
        }
        for (const double day : common_days({&field}, begin, run_.days[state])) {
            for (std::size_t w = 0; w < wells.size(); ++w) {
                wells[w].second.add(day, base[w] + share[w] * (field.at(day) - field.at(begin)));
            }
        }
    }
    std::erase_if(wells, [this](const auto& well) { return !(well.second.at(to_) > well.second.at(from_)); });
    return wells;
}

/// Whether the wells of the summary are all that inject, under the names of the restart file.
bool HistoryBuilder::agree(const std::vector<std::pair<std::string, RunningTotal>>& wells,
                           const RunningTotal& field) const {
    double sum = 0.0;
    bool are_known = !wells.empty();
    for (const auto& [name, total] : wells) {
        sum += total.at(to_) - total.at(from_);
        are_known =
            are_known && (rates_.wells().empty() || std::ranges::find(rates_.wells(), name) != rates_.wells().end());
    }
    const double all = field.at(to_) - field.at(from_);
    return are_known && std::abs(sum - all) <= well_sum_tolerance * all;
}

/// What a well injected into each cell: report step by report step, as its connections divide it. What cells gave back
/// counts against what entered them; one that gave back more takes nothing, and the others what is left.
std::map<std::int64_t, double> HistoryBuilder::cells(const std::string& well, const RunningTotal& total) const {
    std::map<std::int64_t, double> sums;
    double injected = 0.0;
    for (std::size_t state = 1; state < run_.days.size(); ++state) {
        const double begin = std::max(run_.days[state - 1], from_);
        const double end = std::min(run_.days[state], to_);
        const double volume = end > begin ? total.at(end) - total.at(begin) : 0.0;
        if (!(volume > 0.0)) {
            continue;
        }
        const auto parts = rates_.cells(state, well);
        double all = 0.0;
        for (const auto& [cell, part] : parts) {
            all += part;
        }
        for (const auto& [cell, part] : parts) {
            sums[cell] += volume * part / all;
        }
        injected += parts.empty() ? 0.0 : volume;
    }
    std::erase_if(sums, [](const auto& entry) { return !(entry.second > 0.0); });
    double kept = 0.0;
    for (const auto& [cell, volume] : sums) {
        kept += volume;
    }
    for (auto& [cell, volume] : sums) {
        volume *= injected / kept;
    }
    return sums;
}

void HistoryBuilder::add_notes(InjectionHistory& history) const {
    if (!source_.empty()) {
        history.notes.push_back("what was injected comes from the " + source_ +
                                " (a rate is taken for the whole step that it ends); let the simulator write FGIT and "
                                "WGIT");
    }
    if (!rates_.has_rates() && !rates_.wells().empty() && history.volumes.back() > 0.0) {
        history.notes.push_back(
            "the restart file holds no rates of connections (XCON), so that open ones share the gas in proportion to "
            "permeability times thickness; let the simulator write XCON");
    }
    note_connections(rates_, run_.columns, history);
    if (run_.summary.goes_back) {
        history.notes.push_back(
            "the summary goes back in time (the run was started anew in the same files: what was written last counts)");
    }
    const std::vector<std::string> others = rates_.others(from_);
    if (!others.empty()) {
        history.notes.push_back(fmt::format(
            "{} {} or takes something else than gas (a data set holds injectors of CO2 only, the fields hold its "
            "effect); leave the case out where that matters",
            fmt::join(others, ", "), others.size() == 1 ? "produces" : "produce"));
    }
}

std::optional<InjectionHistory> HistoryBuilder::history() {
    const RunningTotal all = field();
    auto wells = wells_of_summary();
    if (!agree(wells, all)) {
        auto by_connections = wells_of_connections(all);
        wells = by_connections.empty() ? std::move(wells) : std::move(by_connections);
    }
    const bool has_summary = run_.summary.find("FGIT") != nullptr || run_.summary.find("FGIR") != nullptr ||
                             !run_.summary.names_of("WGIT").empty() || !run_.summary.names_of("WGIR").empty();
    if (all.days.size() < 2 || (wells.empty() && !has_summary)) {
        return std::nullopt;
    }
    if (has_summary) {
        refuse_short_summary(run_, from_, to_);
    }
    InjectionHistory history;
    std::vector<const RunningTotal*> totals = {&all};
    for (const auto& [name, total] : wells) {
        totals.push_back(&total);
    }
    const std::vector<double> days = common_days(totals, from_, to_);
    const auto since_start = [&](const RunningTotal& total) {
        std::vector<double> volumes;
        for (const double day : days) {
            const double volume = total.at(day) - total.at(from_);
            volumes.push_back(std::max(volume, volumes.empty() ? 0.0 : volumes.back()));
        }
        return volumes;
    };
    std::ranges::transform(days, std::back_inserter(history.days), [this](double day) { return day - from_; });
    history.volumes = since_start(all);
    history.before = all.at(from_);
    history.restarts = is_counted_back_ ? run_.summary.restarts : "";
    history.has_volumes = rates_.has_rates() || has_summary;
    for (const auto& [name, total] : wells) {
        history.wells.push_back({name, since_start(total), cells(name, total)});
    }
    add_notes(history);
    return history;
}

}  // namespace

std::optional<InjectionHistory> gas_history(const RunRecord& run, double from, double to) {
    return run.days.empty() ? std::nullopt : HistoryBuilder(run, from, to).history();
}

}  // namespace plumecast
