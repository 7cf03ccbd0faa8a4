#include "inference/trust/calibration.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "inference/bundle/recorded.hpp"
#include "io/atomic_file.hpp"
#include "io/hash.hpp"
#include "io/text_file.hpp"
#include "reservoir/metrics/field_comparison.hpp"

namespace plumecast {
namespace {

constexpr double far_off = 3.0;            // errors above so many medians
constexpr double accepted_alarms = 0.09;   // of the cases that are not far off
constexpr double bad_over_doubtful = 5.0;  // of expected errors

/// Errors of a field, one per case.
struct FieldErrors {
    std::string field, measure;
    std::vector<double> values;
    double usual = 0.0;
};

/// A set of cases, predicted and compared.
struct Judged {
    ResultVerdicts verdicts;
    std::vector<FieldErrors> errors;
    FigureBands bands;       // empty for few cases
    FieldBands field_bands;  // the same
};

/// Removes a file when it goes.
class ScratchFile {
   public:
    explicit ScratchFile(std::string path) : path_(std::move(path)) {}
    ~ScratchFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

   private:
    std::string path_;
};

FieldErrors errors_of(const FieldComparison& compared) {
    const bool is_saturation = compared.name == "gas_saturation", is_buildup = compared.name == "pressure_buildup";
    FieldErrors errors{compared.name, is_saturation ? "mpe" : is_buildup ? "mre" : "relative_l2", {}, 0.0};
    for (const CaseErrors& one : compared.errors.cases()) {
        errors.values.push_back(is_saturation ? one.mpe : is_buildup ? one.mre : one.relative_l2);
    }
    errors.usual = median_of(errors.values);
    return errors;
}

/// A data set that may not be there.
std::optional<Dataset> dataset_if_any(const std::string& path) {
    return std::filesystem::exists(path) ? std::optional<Dataset>(std::in_place, path) : std::nullopt;
}

/// Intervals of figures and bands of fields of what was predicted.
void add_bands(const Dataset& simulated, const CalibrationFiles& files, Judged& judged) {
    const Dataset predicted(files.scratch);
    const auto physics = dataset_if_any(files.physics_scratch()), spread = dataset_if_any(files.spread_scratch());
    judged.bands = FigureBands::fit(predicted, simulated);
    judged.field_bands =
        FieldBands::fit({predicted, simulated, physics ? &*physics : nullptr, spread ? &*spread : nullptr});
    judged.field_bands.resampled = std::ranges::any_of(judged.verdicts.evidence, &CaseEvidence::is_resampled);
    judged.bands.data_sha256 = judged.field_bands.data_sha256 = sha256_of_file(simulated.path());
}

Judged predicted(const Predictor& predictor, const std::string& data, const CalibrationFiles& files,
                 const PredictionOptions& options) {
    const Dataset simulated(data);
    if (!simulated.has_outputs()) {
        throw InvalidData(data + ": no /outputs (errors are measured against them); give simulated cases");
    }
    if (const std::string by = simulated.attribute("model"); !by.empty() && options.log) {
        options.log(Severity::warning, data + ": its fields are predicted (by " + by +
                                           ") and not simulated, so verdicts and bands tell how near to them the model "
                                           "comes; give simulated cases where a simulator is meant");
    }
    const std::string& scratch = files.scratch;
    const ScratchFile goes(scratch), physics_goes(files.physics_scratch()), spread_goes(files.spread_scratch());
    PredictionOptions with_physics = options;
    with_physics.physics_output = files.physics_scratch();
    with_physics.spread_output = files.spread_scratch();
    Judged judged{predictor.predict(data, scratch, with_physics).verdicts, {}, {}, {}};
    std::vector<std::string> own;
    for (const BundleNetwork& network : predictor.bundle().networks) {
        for (const Field& field : network.network->description().fields) {
            own.push_back(field.name);
        }
    }
    const FileComparison compared = compare_fields(Dataset(scratch), simulated, nullptr, WithoutInjection::compare);
    if (!compared.skipped.empty()) {
        throw InvalidModel(
            fmt::format("{}: predicts no values for case {} of {} (they are not finite); use a model "
                        "that does",
                        predictor.bundle().path, compared.skipped.front(), data));
    }
    for (const FieldComparison& one : compared.fields) {
        if (std::ranges::find(own, one.name) != own.end()) {
            judged.errors.push_back(errors_of(one));
        }
    }
    if (simulated.cases() >= FigureBands::least_cases) {
        add_bands(simulated, files, judged);
    }
    return judged;
}

/// The largest of the errors of a case, each in the usual ones of its field.
double largest_ratio(const std::vector<FieldErrors>& errors, const std::vector<ErrorModel>& models, std::size_t which) {
    double largest = 0.0;
    for (std::size_t f = 0; f < errors.size(); ++f) {
        largest = std::max(largest, errors[f].values[which] / models[f].usual());
    }
    return largest;
}

/// Expected errors of a case that is judged.
using Expected = std::function<std::optional<double>(const ErrorModel& model, std::size_t which)>;

HitRates hit_rates(const Judged& judged, const TrustRecord& record, const Expected& expected) {
    HitRates rates;
    for (std::size_t i = 0; i < judged.verdicts.cases.size(); ++i) {
        CaseEvidence evidence = judged.verdicts.evidence[i];
        evidence.distance = record.cloud.distance(judged.verdicts.features[i]);
        evidence.expected.clear();
        for (const ErrorModel& model : record.expected) {
            if (const auto ratio = expected(model, i)) {
                evidence.expected.push_back({model.field(), *ratio});
            }
        }
        const bool is_alarm = judge(evidence, record.limits).trust != Trust::good;
        const bool is_far = largest_ratio(judged.errors, record.expected, i) > far_off;
        ++rates.cases;
        rates.far_off += is_far ? 1 : 0;
        rates.caught += is_far && is_alarm ? 1 : 0;
        rates.false_alarms += !is_far && is_alarm ? 1 : 0;
    }
    return rates;
}

/// The lowest limit that calls no more of the cases that are not far off doubtful than is accepted.
double limit_of_expected(const Judged& judged, const std::vector<ErrorModel>& models) {
    std::vector<double> others;
    for (std::size_t i = 0; i < judged.verdicts.cases.size(); ++i) {
        double expected = 0.0;
        for (const ErrorModel& model : models) {
            expected = std::max(expected, model.left_out()[i]);
        }
        if (largest_ratio(judged.errors, models, i) <= far_off) {
            others.push_back(expected);
        }
    }
    if (others.empty()) {
        return far_off;
    }
    std::ranges::sort(others, std::greater<>());
    return others[static_cast<std::size_t>(accepted_alarms * static_cast<double>(others.size()))];
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

Json HitRates::to_json() const {
    return Json::Object{{"cases", cases}, {"far_off", far_off}, {"caught", caught}, {"false_alarms", false_alarms}};
}

std::string HitRates::text() const {
    return fmt::format("caught {} of {} cases that are far off, false alarm in {} of the {} others", caught, far_off,
                       false_alarms, cases - far_off);
}

TrainingCloud cloud_of(const Dataset& dataset, std::int64_t cases) {
    dataset.require_reservoir("a verdict");
    std::vector<CaseFeatures> features;
    for (std::int64_t which = 0; which < cases; ++which) {
        features.push_back(input_features(dataset, which));
    }
    return TrainingCloud::of(features);
}

Calibration calibrate(const Predictor& predictor, const CalibrationFiles& files, const PredictionOptions& options) {
    Dataset(files.held_out).require_reservoir("a verdict");
    Calibration found;
    TrustRecord& record = found.record;
    record.cloud = recorded_trust(predictor.bundle()).cloud;
    if (files.only_intervals && !files.test.empty()) {
        throw InvalidInput(
            files.test + ": judges verdicts, which intervals alone leave as they are; leave it out, or calibrate all");
    }
    if (files.only_intervals) {
        record = recorded_trust(predictor.bundle());
        if (!files.training.empty()) {
            const Dataset training(files.training);
            record.cloud = cloud_of(training, training.cases());
        }
        record.bands = FigureBands();
        record.field_bands = FieldBands();
        const Judged judged = predicted(predictor, files.held_out, files, options);
        if (judged.bands.empty()) {
            throw InvalidInput(fmt::format("{}: holds {} cases (intervals need {} held-out ones at least); give more",
                                           files.held_out, judged.verdicts.cases.size(), FigureBands::least_cases));
        }
        record.bands = judged.bands;
        record.field_bands = judged.field_bands;
        return found;
    }
    if (!files.training.empty()) {
        const Dataset training(files.training);
        record.cloud = cloud_of(training, training.cases());
    }
    const Judged held_out = predicted(predictor, files.held_out, files, options);
    record.bands = held_out.bands;
    record.field_bands = held_out.field_bands;
    for (const FieldErrors& one : held_out.errors) {
        record.expected.push_back(ErrorModel::fit(one.field, one.measure, held_out.verdicts.features, one.values));
    }
    const double limit = limit_of_expected(held_out, record.expected);
    record.limits.expected = {limit, bad_over_doubtful * limit};
    found.held_out =
        hit_rates(held_out, record, [](const ErrorModel& model, std::size_t i) { return model.left_out()[i]; });
    record.calibration = Json::Object{{"held_out", file_name(files.held_out)}, {"found", found.held_out.to_json()}};
    if (!files.test.empty()) {
        const Judged test = predicted(predictor, files.test, files, options);
        found.test = hit_rates(test, record, [&](const ErrorModel& model, std::size_t i) {
            return model.ratio(test.verdicts.features[i]);
        });
        record.calibration["test"] = file_name(files.test);
        record.calibration["tested"] = found.test->to_json();
    }
    return found;
}

void record_trust(const std::string& bundle, const TrustRecord& record) {
    const std::string file = (std::filesystem::path(bundle) / "model.json").string();
    Json model = Json::parse(read_text(file), file);
    model["training"]["trust"] = record.to_json();
    write_text_atomically(file, model.dump() + "\n");
}

}  // namespace plumecast
