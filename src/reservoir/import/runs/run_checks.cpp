#include <algorithm>
#include <cmath>

#include "reservoir/import/runs/gas_history.hpp"

namespace plumecast {
namespace {

/// Sum of the vectors that the summary has, step by step; nothing when it has none of them.
std::optional<std::vector<double>> sum_of(const eclipse::Summary& summary,
                                          std::initializer_list<const char*> keywords) {
    std::optional<std::vector<double>> sum;
    for (const char* keyword : keywords) {
        if (const std::vector<double>* values = summary.find(keyword)) {
            sum = sum ? sum : std::vector<double>(values->size(), 0.0);
            std::ranges::transform(*sum, *values, sum->begin(), std::plus<>());
        }
    }
    return sum;
}

/// Gas produced until each step; nothing when wells flow and no vector tells.
std::optional<std::vector<double>> produced(const RunRecord& run) {
    if (const std::vector<double>* total = run.summary.find("FGPT")) {
        return *total;
    }
    std::vector<double> sum(run.summary.days.size(), 0.0);
    if (const std::vector<double>* rate = run.summary.find("FGPR")) {
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const double length = run.summary.days[i] - (i > 0 ? run.summary.days[i - 1] : run.days.front());
            sum[i] = (i > 0 ? sum[i - 1] : 0.0) + (*rate)[i] * length;
        }
        return sum;
    }
    for (const auto& wells : run.wells) {
        if (std::ranges::any_of(wells, [](const WellState& well) { return well.has_other_flow(); })) {
            return std::nullopt;
        }
    }
    return sum;
}

bool is_after(double day, double from) { return day > from * (1.0 + 1e-6) + 1e-9; }

}  // namespace

std::optional<GasImbalance> gas_imbalance(const RunRecord& run, const InjectionHistory& history, double from,
                                          bool starts_without_gas) {
    auto in_place = sum_of(run.summary, {"FGIP"});
    in_place = in_place ? in_place : sum_of(run.summary, {"FGIPG", "FGIPL"});
    const auto out = produced(run);
    const double all = history.volumes.back();
    if (!in_place || !out || !history.has_volumes || !(all > 0.0)) {
        return std::nullopt;
    }
    GasImbalance worst;
    std::optional<double> reference = starts_without_gas ? std::optional(0.0) : std::nullopt;
    double produced_before = 0.0;
    for (std::size_t i = 0; i < run.summary.days.size(); ++i) {
        const double day = run.summary.days[i];
        if (!is_after(day, from)) {
            produced_before = (*out)[i];
            continue;
        }
        if (is_after(day, from + history.days.back())) {
            break;
        }
        const double kept = history.until(day - from) - ((*out)[i] - produced_before);
        const double surplus = (*in_place)[i] - kept;
        if (!std::isfinite(surplus)) {  // a step of an earlier run that did not write the vector
            continue;
        }
        reference = reference ? reference : surplus;
        if (std::abs(surplus - *reference) / all > std::abs(worst.share)) {
            worst = {(surplus - *reference) / all, day};
        }
    }
    return worst;
}

std::map<double, double> bottom_hole_pressures(const RunRecord& run, double from) {
    std::map<double, double> pressures;
    for (const std::string& name : run.summary.names_of("WBHP")) {
        const std::vector<double>& values = *run.summary.find("WBHP", name);
        const std::vector<double>* rates = run.summary.find("WGIR", name);
        for (std::size_t i = 0; rates != nullptr && i < values.size(); ++i) {
            if (is_after(run.summary.days[i], from) && (*rates)[i] > 0.0) {
                double& highest = pressures[run.summary.days[i] - from];
                highest = std::max(highest, values[i]);
            }
        }
    }
    const bool has_vectors = !pressures.empty();
    for (std::size_t state = 0; !has_vectors && state < run.days.size(); ++state) {
        for (const WellState& well : run.wells[state]) {
            if (is_after(run.days[state], from) && well.rate() > 0.0 && well.bottom_hole_pressure > 0.0) {
                double& highest = pressures[run.days[state] - from];
                highest = std::max(highest, well.bottom_hole_pressure);
            }
        }
    }
    return pressures;
}

}  // namespace plumecast
