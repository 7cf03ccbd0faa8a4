#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast.h>
#include <plumecast/core/json.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "inference/scores.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast::c {
namespace {

std::string evaluated(const plumecast_model& model, const Dataset& dataset, const PredictionOptions& given) {
    EvaluationOptions options;
    options.batch = given.batch;
    options.log = given.log;
    options.stop_requested = given.stop_requested;
    options.compare_physics = true;
    if (given.progress) {
        options.progress = [&](std::int64_t done) { given.progress(done, dataset.cases()); };
    }
    Json::Array fields;
    std::map<std::int64_t, std::string> left_out;
    for (const Evaluation& one : model.predictor->evaluate(dataset, options)) {
        left_out.insert(one.left_out.begin(), one.left_out.end());
        for (const FieldEvaluation& field : one.fields) {
            fields.push_back(score_json(field, one.cases));
        }
    }
    Json json;
    json["model_hash"] = model.hash;
    json["cases"] = dataset.cases();
    Json::Array skipped, reasons;
    for (const auto& [which, why] : left_out) {
        skipped.emplace_back(which);
        reasons.emplace_back(why);
    }
    json["skipped"] = std::move(skipped);
    json["skipped_reasons"] = std::move(reasons);
    json["fields"] = std::move(fields);
    return json.dump();
}

/// A number where it is given.
std::optional<double> known(double value) { return value != 0.0 ? std::optional(value) : std::nullopt; }

SeriesOptions options_of(const plumecast_measures& from) {
    SeriesOptions options;
    if (from.thresholds != nullptr && from.threshold_count > 0) {
        options.thresholds.assign(from.thresholds, from.thresholds + from.threshold_count);
    }
    options.pressure_front = known(from.pressure_front);
    options.fracture.gradient = known(from.fracture_gradient);
    options.fracture.pressure = known(from.fracture_pressure);
    options.fracture.factor = known(from.fracture_factor).value_or(options.fracture.factor);
    return options;
}

void require_measurable(const plumecast_measures& from) {
    constexpr std::size_t most = 64;
    if (from.threshold_count > most) {
        throw InvalidInput("threshold_count is " + std::to_string(from.threshold_count) + " (at most " +
                           std::to_string(most) + " are measured at once); give fewer");
    }
    for (const double value :
         {from.pressure_front, from.fracture_gradient, from.fracture_pressure, from.fracture_factor, from.top_depth}) {
        if (!std::isfinite(value) || value < 0.0) {
            throw InvalidInput(
                "measures hold a number that is negative or not finite (0 stands for the default); "
                "correct it");
        }
    }
}

Json numbers(const std::vector<double>& values) {
    Json::Array list;
    for (const double value : values) {
        std::isfinite(value) ? list.emplace_back(value) : list.emplace_back();
    }
    return list;
}

Json series_json(const NamedSeries& series) {
    Json json;
    json["name"] = series.name;
    json["unit"] = series.unit;
    json["description"] = series.description;
    json["values"] = numbers(series.values);
    if (!series.resolution.empty()) {
        json["resolution"] = numbers(series.resolution);
    }
    return json;
}

std::string measured(Dataset dataset, const plumecast_measures& from) {
    const SeriesOptions options = options_of(from);
    const CaseReader reader(std::move(dataset), {.top_depth = known(from.top_depth)});
    const ChosenCases chosen = reader.choose({});
    Json::Array cases;
    for (const std::int64_t number : chosen.numbers) {
        const CaseFields fields = reader.read(number);
        Json::Array list;
        for (const NamedSeries& series : case_series(fields, reader.times(), options)) {
            list.push_back(series_json(series));
        }
        Json one;
        one["case"] = number;
        one["top_depth_m"] = fields.top_depth;
        one["top_depth_source"] = name_of(fields.depth_source);
        one["series"] = std::move(list);
        cases.push_back(std::move(one));
    }
    Json json;
    json["times"] = numbers(reader.times());
    json["cases"] = std::move(cases);
    json["cases_without_values"] = Json::Array(chosen.without_values.begin(), chosen.without_values.end());
    return json.dump();
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_evaluate(const plumecast_model* model, plumecast_cases* cases,
                                    const plumecast_options* options, const char** json) {
    return c::guarded([&] {
        const plumecast_model& by = c::required(model, "model");
        plumecast_cases& of = c::required(cases, "cases");
        const char*& to = c::required(json, "json");
        to = nullptr;
        of.evaluation = c::evaluated(by, of.dataset(), c::options_of(options));
        to = of.evaluation.c_str();
    });
}

plumecast_status plumecast_measure(plumecast_cases* cases, const plumecast_measures* measures, const char** json) {
    return c::guarded([&] {
        plumecast_cases& of = c::required(cases, "cases");
        const char*& to = c::required(json, "json");
        to = nullptr;
        const plumecast_measures defaults{sizeof defaults, nullptr, 0, 0.0, 0.0, 0.0, 0.0, 0.0};
        const plumecast_measures from = c::read_sized(measures, defaults, "measures");
        c::require_measurable(from);
        of.series = c::measured(of.dataset(), from);
        to = of.series.c_str();
    });
}
