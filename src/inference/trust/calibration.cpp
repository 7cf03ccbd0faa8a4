#include "inference/trust/calibration.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Cases, predicted and compared.
struct Judged {
    std::vector<CaseEvidence> evidence;
    std::vector<CaseFeatures> features;
    std::vector<FieldErrors> errors;
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

/// Predicts sets of cases, and keeps their result files as long as it lives.
class JudgedSets {
   public:
    JudgedSets(const Predictor& predictor, const CalibrationFiles& files, const PredictionOptions& options)
        : predictor_(&predictor), files_(&files), options_(options) {
        for (const std::string& file : files.scratch_files()) {
            scratch_.push_back(std::make_unique<ScratchFile>(file));
        }
    }

    Judged held_out() const {
        Judged all;
        for (std::size_t set = 0; set < files_->held_out.size(); ++set) {
            Judged one = predicted(files_->held_out[set], files_->results_of(set));
            if (set > 0 && !std::ranges::equal(one.errors, all.errors, {}, &FieldErrors::field, &FieldErrors::field)) {
                throw InvalidInput(files_->held_out[set] + ": has other fields in /outputs than " +
                                   files_->held_out[0] +
                                   " (errors are of the same fields in all held-out files); simulate the others too");
            }
            append(std::move(one), all);
        }
        return all;
    }
    Judged test() const { return predicted(files_->test, files_->results_of(files_->held_out.size())); }

    /// Intervals and bands of held-out cases that were predicted; none where a set has too few.
    void add_bands(const Judged& judged, TrustRecord& record) const {
        std::vector<Opened> opened;
        for (std::size_t set = 0; set < files_->held_out.size(); ++set) {
            const ScratchResults results = files_->results_of(set);
            opened.push_back({Dataset(results.fields), Dataset(files_->held_out[set]), dataset_if_any(results.physics),
                              dataset_if_any(results.spread)});
        }
        const auto has_enough = [](const Opened& one) { return one.simulated.cases() >= FigureBands::least_cases; };
        if (!std::ranges::all_of(opened, has_enough)) {
            return;
        }
        std::vector<BandFiles> sets;
        std::vector<std::string> hashes;
        for (const Opened& one : opened) {
            sets.push_back({one.predicted, one.simulated, one.physics ? &*one.physics : nullptr,
                            one.spread ? &*one.spread : nullptr});
            hashes.push_back(sha256_of_file(one.simulated.path()));
        }
        record.bands = FigureBands::fit(sets);
        record.field_bands = FieldBands::fit(sets);
        record.field_bands.resampled = std::ranges::any_of(
            judged.evidence, [](const CaseEvidence& evidence) { return evidence.resampling == Resampling::fields; });
        record.bands.data_sha256 = record.field_bands.data_sha256 = fmt::format("{}", fmt::join(hashes, " "));
    }

   private:
    struct Opened {
        Dataset predicted, simulated;
        std::optional<Dataset> physics, spread;
    };

    /// Errors of the same fields in both, where there are any in `all`.
    static void append(Judged&& set, Judged& all) {
        std::ranges::move(set.evidence, std::back_inserter(all.evidence));
        std::ranges::move(set.features, std::back_inserter(all.features));
        if (all.errors.empty()) {
            all.errors = std::move(set.errors);
            return;
        }
        for (std::size_t f = 0; f < all.errors.size(); ++f) {
            std::vector<double>& values = all.errors[f].values;
            std::ranges::copy(set.errors[f].values, std::back_inserter(values));
            all.errors[f].usual = median_of(values);
        }
    }

    Judged predicted(const std::string& data, const ScratchResults& results) const {
        const Dataset simulated(data);
        if (!simulated.has_outputs()) {
            throw InvalidData(data + ": no /outputs (errors are measured against them); give simulated cases");
        }
        if (const std::string by = simulated.attribute("model"); !by.empty() && options_.log) {
            options_.log(Severity::warning,
                         data + ": its fields are predicted (by " + by +
                             ") and not simulated, so verdicts and bands tell how near to them the model "
                             "comes; give simulated cases where a simulator is meant");
        }
        PredictionOptions with_physics = options_;
        with_physics.physics_output = results.physics;
        with_physics.spread_output = results.spread;
        ResultVerdicts verdicts = predictor_->predict(data, results.fields, with_physics).verdicts;
        return {std::move(verdicts.evidence), std::move(verdicts.features),
                errors_of_fields(results.fields, simulated)};
    }

    /// Of the fields that the networks predict.
    std::vector<FieldErrors> errors_of_fields(const std::string& result, const Dataset& simulated) const {
        std::vector<std::string> own;
        for (const BundleNetwork& network : predictor_->bundle().networks) {
            for (const Field& field : network.network->description().fields) {
                own.push_back(field.name);
            }
        }
        const FileComparison compared = compare_fields(Dataset(result), simulated, nullptr, WithoutInjection::compare);
        if (!compared.skipped.empty()) {
            throw InvalidModel(
                fmt::format("{}: predicts no values for case {} of {} (they are not finite); use a model "
                            "that does",
                            predictor_->bundle().path, compared.skipped.front(), simulated.path()));
        }
        std::vector<FieldErrors> errors;
        for (const FieldComparison& one : compared.fields) {
            if (std::ranges::find(own, one.name) != own.end()) {
                errors.push_back(errors_of(one));
            }
        }
        return errors;
    }

    const Predictor* predictor_;
    const CalibrationFiles* files_;
    PredictionOptions options_;
    std::vector<std::unique_ptr<ScratchFile>> scratch_;
};

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
    for (std::size_t i = 0; i < judged.evidence.size(); ++i) {
        CaseEvidence evidence = judged.evidence[i];
        evidence.distance = record.cloud.distance(judged.features[i]);
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
    for (std::size_t i = 0; i < judged.evidence.size(); ++i) {
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

ScratchResults CalibrationFiles::results_of(std::size_t set) const {
    const std::string fields = set == 0 ? scratch + ".h5" : fmt::format("{}-{}.h5", scratch, set + 1);
    return {fields, fields + ".physics.h5", fields + ".spread.h5"};
}

std::vector<std::string> CalibrationFiles::scratch_files() const {
    std::vector<std::string> all;
    for (std::size_t set = 0; set < held_out.size() + (test.empty() ? 0 : 1); ++set) {
        const ScratchResults results = results_of(set);
        all.insert(all.end(), {results.fields, results.physics, results.spread});
    }
    return all;
}

Calibration calibrate(const Predictor& predictor, const CalibrationFiles& files, const PredictionOptions& options) {
    for (const std::string& held_out : files.held_out) {
        Dataset(held_out).require_reservoir("a verdict");
    }
    Calibration found;
    TrustRecord& record = found.record;
    const TrustRecord known = recorded_trust(predictor.bundle());
    if (files.only_intervals && !files.test.empty()) {
        throw InvalidInput(
            files.test + ": judges verdicts, which intervals alone leave as they are; leave it out, or calibrate all");
    }
    if (files.only_intervals) {
        record = known;
        record.bands = FigureBands();
        record.field_bands = FieldBands();
    }
    record.cloud = known.cloud;
    if (!files.training.empty()) {
        const Dataset training(files.training);
        record.cloud = cloud_of(training, training.cases());
    }
    const JudgedSets sets(predictor, files, options);
    const Judged held_out = sets.held_out();
    sets.add_bands(held_out, record);
    if (files.only_intervals) {
        for (const std::string& one : files.held_out) {
            require_enough(Dataset(one));
        }
        return found;
    }
    for (const FieldErrors& one : held_out.errors) {
        record.expected.push_back(ErrorModel::fit(one.field, one.measure, held_out.features, one.values));
    }
    const double limit = limit_of_expected(held_out, record.expected);
    record.limits.expected = {limit, bad_over_doubtful * limit};
    found.held_out =
        hit_rates(held_out, record, [](const ErrorModel& model, std::size_t i) { return model.left_out()[i]; });
    std::vector<std::string> names;
    std::ranges::transform(files.held_out, std::back_inserter(names), file_name);
    record.calibration =
        Json::Object{{"held_out", fmt::format("{}", fmt::join(names, ", "))}, {"found", found.held_out.to_json()}};
    if (!files.test.empty()) {
        const Judged test = sets.test();
        found.test = hit_rates(test, record,
                               [&](const ErrorModel& model, std::size_t i) { return model.ratio(test.features[i]); });
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
