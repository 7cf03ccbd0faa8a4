#include "service/ensembles/ensemble_result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "service/json_numbers.hpp"

namespace plumecast::service {
namespace {

/// A key figure of all realizations.
struct FigureOfAll {
    KeyFigure first;                  // name, unit and description are those of all
    std::vector<double> values;       // by realization; NaN where there is none
    std::vector<double> resolutions;  // of those that have one
};

std::vector<FigureOfAll> figures_of(const std::vector<MeasuredCase>& cases, std::size_t number) {
    std::vector<FigureOfAll> all;
    for (const MeasuredCase& one : cases) {
        for (KeyFigure& figure : key_figures(one.series)) {
            auto found =
                std::ranges::find_if(all, [&](const FigureOfAll& each) { return each.first.name == figure.name; });
            if (found == all.end()) {
                all.push_back({figure, std::vector<double>(number, std::numeric_limits<double>::quiet_NaN()), {}});
                found = all.end() - 1;
            }
            found->values[static_cast<std::size_t>(one.number)] = figure.value;
            if (figure.resolution && *figure.resolution > 0.0) {
                found->resolutions.push_back(*figure.resolution);
            }
        }
    }
    return all;
}

Json figure_json(const FigureOfAll& figure) {
    const Percentiles at = percentiles(figure.values);
    Json json = Json::Object{{"name", figure.first.name},
                             {"unit", figure.first.unit},
                             {"description", figure.first.description},
                             {"values", numbers_json(figure.values)},
                             {"p90_low", number_json(at.p90)},
                             {"p50_middle", number_json(at.p50)},
                             {"p10_high", number_json(at.p10)}};
    if (!figure.resolutions.empty()) {
        json["resolution"] = percentiles(figure.resolutions).p50;
    }
    return json;
}

/// In how many realizations a figure is above a limit.
Exceedance above_limit(const std::vector<FigureOfAll>& figures, const std::string& name, double limit) {
    const auto found = std::ranges::find_if(figures, [&](const FigureOfAll& each) { return each.first.name == name; });
    if (found == figures.end()) {
        return {name, fmt::format("{:g} of {}", limit, name), proportion_of(0, 0), "these cases have no such figure"};
    }
    const auto known = std::ranges::count_if(found->values, [](double value) { return std::isfinite(value); });
    const auto above = std::ranges::count_if(found->values, [limit](double value) { return value > limit; });
    return {name, fmt::format("{:g} {} ({})", limit, found->first.unit, found->first.description),
            proportion_of(above, known), "no case has the figure",
            static_cast<std::int64_t>(found->values.size()) - known};
}

Json exceedances_json(const ReportContent& content, const std::vector<FigureOfAll>& figures,
                      const EnsembleRequest& request) {
    Json::Array list;
    for (const Exceedance& one : exceedances(content)) {
        list.push_back(exceedance_json(one));
    }
    for (const auto& [name, limit] : request.figure_limits()) {
        list.push_back(exceedance_json(above_limit(figures, name, limit)));
    }
    return list;
}

Json drawn_inputs_json(const EnsembleRequest& request) {
    Json::Array list;
    for (const DrawnRange& range : request.ranges()) {
        const ArraySpec* spec = range.is_multiplier ? nullptr : find_array(range.input, Geometry::radial);
        Json::Array values;
        for (std::int64_t which = 0; which < request.number(); ++which) {
            values.emplace_back(request.drawn(range, which));
        }
        list.push_back(Json::Object{{"name", range.input},
                                    {"unit", spec == nullptr ? std::string("1") : spec->unit},
                                    {"as", range.is_multiplier ? "multiplier" : "value"},
                                    {"law", range.is_logarithmic ? "log_uniform" : "uniform"},
                                    {"from", range.from},
                                    {"to", range.to},
                                    {"values", std::move(values)}});
    }
    return list;
}

/// What is found of the realizations, first how far they are to be trusted.
std::vector<std::string> findings_of(const ReportContent& content, const std::vector<Verdict>& verdicts,
                                     std::size_t failed) {
    std::vector<std::string> all = findings(content);
    const auto bad = static_cast<std::size_t>(std::ranges::count(verdicts, Trust::bad, &Verdict::trust)) - failed;
    if (bad > 0) {
        all.insert(all.begin(),
                   fmt::format("{} of {} realizations are bad and count in percentiles and exceedances nevertheless",
                               bad, verdicts.size()));
    }
    return all;
}

}  // namespace

void EnsembleResult::add(std::int64_t first, ComputedCases computed, const Measure& measure,
                         const std::vector<std::vector<std::string>>& notes) {
    auto cases = std::make_unique<const ComputedCases>(std::move(computed));
    auto meter = std::make_unique<const CaseMeter>(*cases, measure);
    for (std::size_t i = 0; i < cases->verdicts.cases.size(); ++i) {
        const std::int64_t realization = first + static_cast<std::int64_t>(i);
        notes_[static_cast<std::size_t>(realization)] = notes[i];
        std::string why;
        std::optional<MeasuredCase> measured = meter->measured(i, why);
        if (!measured) {
            add_failure(realization, why);
            continue;
        }
        measured->number = realization;
        cases_.push_back(std::move(*measured));
        verdicts_[static_cast<std::size_t>(realization)] = cases->verdicts.cases[i];
    }
    meter_ = std::move(meter);
    last_ = std::move(cases);
}

void EnsembleResult::add_failure(std::int64_t realization, const std::string& why) {
    failures_.emplace(realization, why);
    verdicts_[static_cast<std::size_t>(realization)] = {Trust::bad, {why}};
}

Json EnsembleResult::json(const EnsembleRequest& request, double seconds) const {
    const ReportContent content = meter_->content(cases_);
    const std::vector<FigureOfAll> of_all = figures_of(cases_, verdicts_.size());
    Json::Array figures, series, cases, failures;
    for (const FigureOfAll& figure : of_all) {
        figures.push_back(figure_json(figure));
    }
    for (const NamedSeries& one : content.series()) {
        series.push_back(spread_json(content, one));
    }
    TrustCounts counts;
    for (std::size_t i = 0; i < verdicts_.size(); ++i) {
        counts.add(verdicts_[i].trust);
        cases.push_back(Json::Object{{"verdict", std::string(name_of(verdicts_[i].trust))},
                                     {"reasons", texts_json(verdicts_[i].reasons)},
                                     {"notes", texts_json(notes_[i])}});
    }
    for (const auto& [realization, why] : failures_) {
        failures.push_back(Json::Object{{"case", realization}, {"reason", why}});
    }
    return Json::Object{{"seconds", seconds},
                        {"computed_by", last_->origin},
                        {"times", numbers_json(last_->content.times)},
                        {"inputs", drawn_inputs_json(request)},
                        {"figures", std::move(figures)},
                        {"series", std::move(series)},
                        {"percentiles", percentile_meaning},
                        {"exceedances", exceedances_json(content, of_all, request)},
                        {"findings", texts_json(findings_of(content, verdicts_, failures_.size()))},
                        {"verdicts", Json::Object{{"good", static_cast<std::int64_t>(counts.good)},
                                                  {"doubtful", static_cast<std::int64_t>(counts.doubtful)},
                                                  {"bad", static_cast<std::int64_t>(counts.bad)}}},
                        {"cases", std::move(cases)},
                        {"failures", std::move(failures)}};
}

}  // namespace plumecast::service
