#include <cmath>

#include <plumecast/core/json.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reporting/report.hpp>

#include "io/atomic_file.hpp"
#include "reporting/report_content.hpp"

namespace plumecast {
namespace {

/// A number; null where there is none.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbers(const std::vector<double>& values) {
    Json::Array list;
    for (const double value : values) {
        list.push_back(number(value));
    }
    return list;
}

Json options_json(const ReportOptions& options) {
    Json json;
    json["saturation_thresholds"] = numbers(options.series.thresholds);
    const SeriesOptions& series = options.series;
    json["pressure_front_bar"] = series.has_review() && !series.pressure_front
                                     ? Json("critical build-up of each case")
                                     : Json(series.pressure_front.value_or(default_pressure_front));
    if (series.drinking_water) {
        json["drinking_water_depth_m"] = series.drinking_water->depth;
        json["brine_density_kg_per_m3"] = series.drinking_water->brine_density;
        if (series.drinking_water->water_density) {
            json["water_density_kg_per_m3"] = *series.drinking_water->water_density;
        }
        json["critical_buildup_method"] = series.drinking_water->water_density ? 2 : 1;
    }
    json["fracture_gradient_bar_per_m"] =
        options.series.fracture.gradient ? Json(*options.series.fracture.gradient) : Json();
    const FractureLimit& limit = options.series.fracture;
    json["fracture_pressures_bar"] = numbers(limit.pressure ? std::vector{*limit.pressure} : limit.pressures);
    json["fracture_factor"] = options.series.fracture.factor;
    json["polygon"] = Json();
    if (options.polygon) {
        json["polygon"] = Json::Object{{"source", options.polygon_source},
                                       {"rings", static_cast<std::int64_t>(options.polygon->rings.size())}};
    }
    return json;
}

Json case_json(const MeasuredCase& one) {
    Json json;
    json["case"] = one.number;
    json["top_depth_m"] = number(one.top_depth);
    json["top_depth_source"] = name_of(one.depth_source);
    json["start_date"] = date_text(one.start);
    Json figures;
    for (const KeyFigure& figure : key_figures(one.series)) {
        figures[figure.name] = number(figure.value);
        if (figure.resolution) {
            figures[figure.name + "_resolution"] = number(*figure.resolution);
        }
        if (figure.interval) {
            figures[figure.name + "_low"] = number(figure.interval->first);
            figures[figure.name + "_high"] = number(figure.interval->second);
        }
    }
    json["key_figures"] = figures;
    if (!one.trust.empty()) {
        json["trust"] = one.trust;
        json["trust_reasons"] = one.trust_reasons;
    }
    return json;
}

}  // namespace

Json series_json(const NamedSeries& series) {
    Json json;
    json["name"] = series.name;
    json["unit"] = series.unit;
    json["description"] = series.description;
    json["values"] = numbers(series.values);
    if (!series.resolution.empty()) {
        json["resolution"] = numbers(series.resolution);
    }
    if (!series.low.empty()) {
        json["low"] = numbers(series.low);
        json["high"] = numbers(series.high);
    }
    return json;
}

Json spread_json(const ReportContent& content, const NamedSeries& series) {
    Json json;
    json["name"] = series.name;
    json["unit"] = series.unit;
    json["description"] = series.description;
    if (!series.resolution.empty()) {
        std::vector<double> resolution;
        for (std::size_t time = 0; time < series.values.size(); ++time) {
            resolution.push_back(content.resolution_of(series.name, time));
        }
        json["resolution"] = numbers(resolution);
    }
    std::vector<double> p10;
    std::vector<double> p50;
    std::vector<double> p90;
    for (const Percentiles& at : content.percentiles_of(series.name)) {
        p10.push_back(at.p10);
        p50.push_back(at.p50);
        p90.push_back(at.p90);
    }
    json["p90_low"] = numbers(p90);
    json["p50_middle"] = numbers(p50);
    json["p10_high"] = numbers(p10);
    if (leaves_cases_out(content, series.name)) {
        const std::vector<std::int64_t> known = content.known_of(series.name);
        json["cases"] = Json::Array(known.begin(), known.end());
    }
    return json;
}

Json exceedance_json(const Exceedance& one) {
    Json json;
    json["limit"] = one.name;
    json["cases_above"] = one.cases.held;
    json["cases"] = one.cases.of;
    json["cases_unknown"] = one.unknown;
    json["share"] = one.cases.share();
    json["interval"] = Json::Array{one.cases.low, one.cases.high};
    json["confidence"] = proportion_confidence;
    json["method"] = "Clopper-Pearson";
    json["meaning"] = one.text();
    return json;
}

void write_json(const ReportContent& content) {
    const Dataset& dataset = content.reader.dataset();
    Json json;
    json["program"] = "plumecast " + std::string(version());
    json["file"] = std::filesystem::path(dataset.path()).filename().string();
    json["source"] = dataset.attribute("source");
    json["model"] = dataset.attribute("model");
    json["model_hash"] = dataset.attribute("model_hash");
    if (content.has_trust()) {
        json["trust"] = content.trust_text();
    }
    if (const std::string level = dataset.attribute("interval_level"); !level.empty()) {
        json["interval_level"] = level;
    }
    Json::Array notes;
    for (const DataNote& note : content.notes) {
        notes.emplace_back(note.line());
    }
    json["notes"] = notes;
    json["percentiles"] = percentile_meaning;
    json["top_depth"] = depth_text(content);
    const std::string missing = missing_review(content);
    if (!missing.empty()) {
        json["area_of_review"] = missing;
    }
    Json::Array exceeded;
    for (const Exceedance& one : exceedances(content)) {
        exceeded.push_back(exceedance_json(one));
    }
    json["exceedances"] = exceeded;
    json["options"] = options_json(content.options);
    json["times_day"] = numbers(content.reader.times());
    Json::Array dates;
    for (std::size_t time = 0; time < content.reader.times().size(); ++time) {
        dates.emplace_back(content.date(time));
    }
    json["dates"] = dates;
    json["start"] = start_text(content);
    Json::Array series;
    for (const NamedSeries& one : content.series()) {
        series.push_back(content.is_ensemble() ? spread_json(content, one) : series_json(one));
    }
    json["series"] = series;
    Json::Array cases;
    for (const MeasuredCase& one : content.cases) {
        cases.push_back(case_json(one));
    }
    json["cases"] = cases;
    json["cases_without_values"] = Json::Array(content.without_values.begin(), content.without_values.end());
    write_text_atomically(content.options.folder / "report.json", json.dump() + "\n");
}

}  // namespace plumecast
