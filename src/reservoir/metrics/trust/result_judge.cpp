#include "reservoir/metrics/trust/result_judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/dataset/quantities/quantities.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/limited_rate.hpp"
#include "reservoir/metrics/trust/field_evidence.hpp"

namespace plumecast {
namespace {

/// The arrays of a result that the verdicts rest on.
class EvidenceArrays {
   public:
    explicit EvidenceArrays(std::int64_t cases) : cases_(cases) {}

    void add(const CaseEvidence& evidence, std::vector<double> balance, std::size_t times) {
        const auto or_nan = [](const std::optional<double>& value) {
            return static_cast<float>(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        };
        outside_.push_back(static_cast<float>(evidence.outside));
        distance_.push_back(or_nan(evidence.distance));
        reach_.push_back(or_nan(evidence.reach));
        buildup_.push_back(static_cast<float>(evidence.largest_buildup));
        rock_load_.push_back(or_nan(evidence.rock_load));
        absorbed_.push_back(or_nan(evidence.absorbed));
        beyond_physics_.push_back(or_nan(beyond_physics(evidence)));
        for (const ExpectedError& one : evidence.expected) {
            expected_[one.field].push_back(static_cast<float>(one.ratio));
        }
        balance.resize(times, std::numeric_limits<double>::quiet_NaN());
        balance_.insert(balance_.end(), balance.begin(), balance.end());
    }
    void write(FieldsWriter& result, bool has_ranges) const {
        const auto put = [&](const std::string& name, const std::vector<float>& values, const std::string& text = "") {
            const bool is_known = std::ranges::any_of(values, [](float value) { return !std::isnan(value); });
            if (is_known && values.size() % static_cast<std::size_t>(cases_) == 0) {
                const Quantity& what = quantity(QuantityKind::of_case, name);
                result.write_case_values(name, what.unit, text.empty() ? what.meaning : text, values, cases_);
            }
        };
        if (has_ranges) {
            put("outside_ranges", outside_);
        }
        put("training_distance", distance_);
        put("plume_reach", reach_);
        put("max_buildup", buildup_);
        put("rock_load", rock_load_);
        put("absorbed_co2", absorbed_);
        put("dissolved_beyond_physics", beyond_physics_);
        put("mass_balance", balance_);
        for (const auto& [field, ratios] : expected_) {
            put("expected_error_" + field, ratios, "expected error of " + field + " in usual errors");
        }
    }

   private:
    /// Of the larger of the two differences.
    static std::optional<double> beyond_physics(const CaseEvidence& evidence) {
        std::optional<double> most;
        for (const auto& shares : {evidence.dissolves_more, evidence.dissolves_less}) {
            const double beyond = shares ? shares->predicted - shares->physics : 0.0;
            most = shares && std::abs(beyond) >= std::abs(most.value_or(0.0)) ? beyond : most;
        }
        return most;
    }

    std::int64_t cases_;
    std::vector<float> outside_, distance_, reach_, buildup_, balance_, rock_load_, absorbed_, beyond_physics_;
    std::map<std::string, std::vector<float>> expected_;
};

/// Everything that one case is judged by.
class CaseJudge {
   public:
    CaseJudge(const TrustRecord& record, const RunFacts& facts) : record_(record), facts_(facts) {}

    CaseFeatures features(const Dataset& dataset, const CaseFields& inputs, const FieldEvidence& measures) const {
        CaseFeatures features = input_features(dataset, inputs.number);
        const double pressure = std::exp(features.at("log_initial_pressure"));
        features["log_co2_density"] = log_density(pressure, inputs);
        if (!inputs.pressure_buildup.empty()) {
            constexpr double least = 1e-3;  // bar
            features["log_largest_buildup"] = std::log(std::max(measures.largest_buildup, least));
            features["log_density_rise"] =
                log_density(pressure + measures.largest_buildup, inputs) - features.at("log_co2_density");
        }
        for (const auto& [field, sizes] : facts_.corrections) {
            constexpr double least = 1e-6;
            const auto size = static_cast<double>(sizes[static_cast<std::size_t>(inputs.number)]);
            features["log_correction_" + field] = std::log(std::max(size, least));
        }
        return features;
    }
    CaseEvidence evidence(const CaseFields& fields, const CaseFeatures& features, const FieldEvidence& measures,
                          double last_time) const {
        CaseEvidence evidence;
        evidence.is_finite = measures.is_finite;
        evidence.balance = measures.off_balance;
        evidence.reach = measures.reach;
        evidence.largest_buildup = measures.largest_buildup;
        evidence.rock_load = measures.rock_load;
        if (facts_.physics.empty()) {  // a balance that dissolved CO2 closes
            evidence.absorbed = measures.absorbed;
        }
        evidence.dissolved_ratio = measures.dissolved_ratio;
        evidence.last_time = last_time;
        evidence.trained_time = facts_.trained_time;
        evidence.rate_changes = fields.schedule.ends.empty() ? RateChanges::none : facts_.rate_changes;
        add_physics(evidence, fields.number);
        add_dissolved(evidence, fields.number);
        evidence.buildup_limit = facts_.buildup_limit;
        evidence.resampling = facts_.resampling;
        for (const OutOfRange& out : facts_.out_of_range) {
            const Range& range = facts_.ranges.ranges().at(out.field);
            const ArraySpec& spec = *find_array(out.field);
            const double share = share_outside(range.low, range.high, out.value, spec.high - spec.low);
            if (out.which == fields.number && share > evidence.outside) {
                evidence.outside = share;
                evidence.farthest_input = out.field;
                evidence.trained_value = range.low == range.high ? std::optional(range.low) : std::nullopt;
            }
        }
        evidence.distance = record_.cloud.distance(features);
        for (const ErrorModel& model : record_.expected) {
            if (const std::optional<double> ratio = model.ratio(features)) {
                evidence.expected.push_back({model.field(), *ratio});
            }
        }
        return evidence;
    }

   private:
    void add_physics(CaseEvidence& evidence, std::int64_t number) const {
        if (facts_.physics.empty()) {
            return;
        }
        const PhysicsErrors& errors = facts_.physics[static_cast<std::size_t>(number)];
        const std::string reason = reason_of(errors, record_.limits.expected.doubtful);
        evidence.expected.push_back({"gas_saturation", errors.gas_saturation, reason});
        evidence.expected.push_back({"pressure_buildup", errors.pressure_buildup, reason});
    }
    void add_dissolved(CaseEvidence& evidence, std::int64_t number) const {
        const auto found = facts_.dissolved.find(number);
        if (found == facts_.dissolved.end()) {
            return;
        }
        const auto& [predicted, physics] = found->second;
        const auto beyond = [](const DissolvedShares& shares) { return shares.predicted - shares.physics; };
        for (std::size_t t = 0; t < predicted.size(); ++t) {
            const DissolvedShares shares{predicted[t], physics[t]};
            if (!evidence.dissolves_more || beyond(shares) > beyond(*evidence.dissolves_more)) {
                evidence.dissolves_more = shares;
            }
            if (!evidence.dissolves_less || beyond(shares) < beyond(*evidence.dissolves_less)) {
                evidence.dissolves_less = shares;
            }
        }
    }
    /// Logarithm of the density of CO2 at a pressure [bar] and the temperature of a case, as far as it is known.
    static double log_density(double pressure, const CaseFields& inputs) {
        return std::log(co2_density(std::clamp(pressure, 1.0, 1000.0), inputs.temperature));
    }

    const TrustRecord& record_;
    const RunFacts& facts_;
};

/// What is known of a case that is judged by something else than its fields; its measures are NaN.
CaseEvidence no_evidence(const TrustRecord& record, const RunFacts& facts) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    CaseEvidence evidence;
    evidence.outside = unknown;
    evidence.largest_buildup = unknown;
    for (const ErrorModel& model : record.expected) {
        evidence.expected.push_back({model.field(), unknown});
    }
    if (!facts.physics.empty()) {
        evidence.expected.push_back({"gas_saturation", unknown});
        evidence.expected.push_back({"pressure_buildup", unknown});
    }
    return evidence;
}

/// Whether nothing is injected and the fields say so.
bool is_still(const CaseFields& fields) {
    const auto is_zero = [&](const std::vector<float>& values) {
        std::size_t i = 0;
        return std::ranges::all_of(
            values, [&](float value) { return fields.active[i++ % fields.active.size()] == 0.0F || value == 0.0F; });
    };
    return fields.injection_rate == 0.0 && is_zero(fields.gas_saturation) && is_zero(fields.pressure_buildup) &&
           is_zero(fields.dissolved_co2);
}

void write_verdicts(FieldsWriter& result, const ResultVerdicts& verdicts) {
    std::vector<std::uint8_t> labels;
    std::vector<std::string> reasons;
    for (const Verdict& one : verdicts.cases) {
        labels.push_back(static_cast<std::uint8_t>(one.trust));
        reasons.push_back(fmt::format("{}", fmt::join(one.reasons, "; ")));
    }
    result.write_case_labels("trust", "how far the fields of the case can be relied upon", labels,
                             {"good", "doubtful", "bad"});
    result.write_case_texts("trust_reasons", "why a case is not good, and what else is to be known of it", reasons);
    result.set_attribute("trust", verdicts.counts().text());
}

}  // namespace

namespace {

/// Figures of a case with intervals; its fields have 0 in inactive cells then, as measuring takes them.
Figures figures_of(const Dataset& dataset, CaseFields fields) {
    add_wells(dataset, std::nullopt, fields);
    for (std::vector<float>* field : {&fields.gas_saturation, &fields.pressure_buildup, &fields.dissolved_co2}) {
        for (std::size_t i = 0; i < field->size(); ++i) {
            (*field)[i] = fields.active[i % fields.active.size()] == 0.0F ? 0.0F : (*field)[i];
        }
    }
    return banded_figures(fields, dataset.times());
}

/// Why a calibration says nothing of a case; empty where it does.
std::string why_not_calibrated(const ResultVerdicts& verdicts, const TrustRecord& record, std::size_t which) {
    const std::optional<double>& distance = verdicts.evidence[which].distance;
    if (verdicts.cases[which].trust == Trust::bad) {
        return "not calibrated here: the case is bad";
    }
    return distance && *distance > record.limits.distance.doubtful
               ? "not calibrated here: the case lies farther from the training than any case of it"
               : std::string();
}

/// Why a case has no bands of its fields; empty where it has them.
std::string why_no_band(const ResultVerdicts& verdicts, const TrustRecord& record, std::size_t which) {
    std::string why = why_not_calibrated(verdicts, record, which);
    const bool is_still = verdicts.features[which].empty();  // and known to be 0, where the case is not bad
    const bool is_resampled = verdicts.evidence[which].resampling == Resampling::fields;
    if (!why.empty() || is_still || is_resampled == record.field_bands.resampled) {
        return why;
    }
    return record.field_bands.resampled
               ? "not calibrated here: the cases of the calibration were brought over from another grid or other times"
               : "not calibrated here: the case was brought over from another grid or other times";
}

/// Each figure [N, T] with the ends of its interval, NaN where there is none.
void write_figures(FieldsWriter& result, const ResultVerdicts& verdicts, const TrustRecord& record, std::size_t times) {
    constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
    const std::size_t cases = verdicts.cases.size();
    std::vector<std::string> notes;
    for (std::size_t which = 0; which < cases; ++which) {
        notes.push_back(why_no_interval(verdicts, record, which));
    }
    for (const FigureBand& band : record.bands.figures) {
        std::vector<float> middle(cases * times, unknown), low = middle, high = middle;
        for (std::size_t which = 0; which < cases; ++which) {
            const auto& figures = verdicts.figures[which];
            const auto found = figures.find(band.figure);
            if (found == figures.end()) {
                continue;
            }
            const auto ends = band.ends(figures);
            for (std::size_t t = 0; t < times; ++t) {
                const std::size_t at = which * times + t;
                middle[at] = static_cast<float>(found->second[t]);
                if (notes[which].empty()) {
                    low[at] = static_cast<float>(ends[t].first);
                    high[at] = static_cast<float>(ends[t].second);
                }
            }
        }
        const Quantity* known = find_quantity(QuantityKind::figure, band.figure);
        const std::string unit = known == nullptr ? "1" : known->unit;
        const auto put = [&](const char* end, const std::string& what, const std::vector<float>& values) {
            result.write_case_values("figure_" + band.figure + end, unit, what + band.figure, values,
                                     static_cast<std::int64_t>(cases));
        };
        put("", "of the fields: ", middle);
        put("_low", "lower end of the interval of ", low);
        put("_high", "upper end of the interval of ", high);
    }
    result.write_case_texts("figure_notes", "why figures of a case have no intervals; empty where they have", notes);
    result.set_attribute("interval_level", fmt::format("{:g}", record.bands.level));
}

}  // namespace

std::string why_no_interval(const ResultVerdicts& verdicts, const TrustRecord& record, std::size_t which) {
    return verdicts.figures[which].empty() ? "no figures: the case has no values, or nothing is injected"
                                           : why_not_calibrated(verdicts, record, which);
}

ResultVerdicts judge_fields(const ResultReader& read, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& facts) {
    const CaseJudge judge_of(record, facts);
    const bool is_radial = dataset.geometry() == Geometry::radial;
    ResultVerdicts verdicts;
    verdicts.injected = facts.injected;
    for (std::int64_t number = 0; number < dataset.cases(); ++number) {
        if (const auto failed = facts.failed.find(number); failed != facts.failed.end()) {
            verdicts.features.emplace_back();
            verdicts.evidence.push_back(no_evidence(record, facts));
            verdicts.evidence.back().is_finite = false;
            verdicts.cases.push_back({Trust::bad, {"has no values: " + failed->second}});
            verdicts.balance.emplace_back();
            verdicts.figures.emplace_back();
            continue;
        }
        CaseFields fields = case_inputs(dataset, number);
        fields.gas_saturation = read("gas_saturation", number);
        fields.pressure_buildup = read("pressure_buildup", number);
        fields.dissolved_co2 = read("dissolved_co2", number);
        if (!facts.injected.empty()) {
            const auto first = facts.injected.begin() + number * dataset.snapshots();
            fields.injected_mass.assign(first, first + dataset.snapshots());
        }
        if (is_still(fields)) {
            verdicts.features.emplace_back();
            verdicts.evidence.push_back(no_evidence(record, facts));
            verdicts.evidence.back().largest_buildup = 0.0;
            verdicts.cases.push_back({Trust::good, {}});
            verdicts.balance.emplace_back(dataset.times().size(), 1.0);
            verdicts.figures.emplace_back();
            continue;
        }
        const FieldEvidence measures = field_evidence(fields, dataset.times(), is_radial);
        verdicts.features.push_back(judge_of.features(dataset, fields, measures));
        verdicts.evidence.push_back(
            judge_of.evidence(fields, verdicts.features.back(), measures, dataset.times().back()));
        verdicts.evidence.back().limited_rate = limited_rate(fields, dataset.times());
        verdicts.evidence.back().limits =
            std::isfinite(fields.bottom_hole_pressure_limit) ? facts.limits : RateChanges::none;
        verdicts.evidence.back().dissolution =
            std::isfinite(fields.dissolution_rate_limit) ? facts.dissolution : RateChanges::none;
        verdicts.evidence.back().warmth = facts.warmth;
        verdicts.cases.push_back(judge(verdicts.evidence.back(), record.limits));
        verdicts.balance.push_back(measures.balance);
        verdicts.figures.push_back(record.bands.empty() || !measures.is_finite ? Figures()
                                                                               : figures_of(dataset, fields));
    }
    for (std::size_t which = 0; facts.has_bands && which < verdicts.cases.size(); ++which) {
        verdicts.band_notes.push_back(why_no_band(verdicts, record, which));
    }
    return verdicts;
}

ResultVerdicts judge_result(FieldsWriter& result, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& facts) {
    return judge_result(result, dataset, record, facts,
                        [&](const std::string& field, std::int64_t which) { return result.read(field, which); });
}

ResultVerdicts judge_result(FieldsWriter& result, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& stated, const ResultReader& read) {
    RunFacts facts = stated;
    if (facts.injected.empty()) {
        facts.injected = result.case_values("injected_mass");
    } else {
        const Quantity& injected = quantity(QuantityKind::of_case, "injected_mass");
        result.write_case_values(injected.name, injected.unit, injected.meaning, facts.injected, dataset.cases());
    }
    ResultVerdicts verdicts = judge_fields(read, dataset, record, facts);
    EvidenceArrays arrays(dataset.cases());
    for (std::size_t i = 0; i < verdicts.cases.size(); ++i) {
        arrays.add(verdicts.evidence[i], verdicts.balance[i], dataset.times().size());
    }
    arrays.write(result, !facts.ranges.ranges().empty());
    result.set_attribute("resampled", facts.resampling == Resampling::none ? "no" : "yes");
    if (facts.buildup_limit) {
        result.set_attribute("buildup_limit", fmt::format("{:g} bar", *facts.buildup_limit));
    }
    write_verdicts(result, verdicts);
    if (!record.bands.empty()) {
        write_figures(result, verdicts, record, dataset.times().size());
    }
    if (facts.has_bands) {
        result.write_case_texts("band_notes", "why fields of a case have no bands; empty where they have",
                                verdicts.band_notes);
        result.set_attribute("band_level", fmt::format("{:g}", record.field_bands.level));
        result.set_attribute("band_share", fmt::format("{:g}", record.field_bands.share));
    }
    return verdicts;
}

ResultVerdicts judge_result(FieldsWriter& result, const std::string& dataset, const TrustRecord& record,
                            const RunFacts& facts) {
    return judge_result(result, Dataset(dataset), record, facts);
}

}  // namespace plumecast
