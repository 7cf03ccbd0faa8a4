#include "training/run_records.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "inference/guided/recorded_grids.hpp"
#include "io/atomic_file.hpp"
#include "reservoir/dataset/generic/rollout_entries.hpp"
#include "training/model_card.hpp"
#include "training/training_state.hpp"

namespace plumecast {

std::string names_of(const std::vector<Field>& fields) {
    std::string names;
    for (const Field& field : fields) {
        names += (names.empty() ? "" : " and ") + field.name;
    }
    return names;
}

std::string stem_of(const std::vector<Field>& fields) { return fields.size() == 1 ? fields[0].name : "fields"; }

Recipe without_folders(Recipe recipe) {
    const auto shorten = [](std::string& path) {
        const std::filesystem::path given(path);
        path = (given.has_filename() ? given : given.parent_path()).filename().string();
    };
    std::ranges::for_each(recipe.train_files, shorten);
    std::ranges::for_each(recipe.validation_files, shorten);
    shorten(recipe.output);
    shorten(recipe.weights);
    return recipe;
}

namespace {

/// The recipe as a model of one network records it: as it was before there were members, so that earlier releases read
/// it.
Json recorded_recipe(const Recipe& recipe) {
    Json json = without_folders(recipe).to_json();
    std::erase_if(*json.get_if<Json::Object>(), [](const auto& entry) { return entry.first == "members"; });
    return json;
}

bool any_has(const RunData& data, std::string_view array) {
    return std::ranges::any_of(data.train(), [&](const RunSet& set) {
        return set.data.geometry() == Geometry::radial && set.data.has(array);
    });
}

}  // namespace

BundleContent content_of_best(const Recipe& recipe, const RunData& data, const InputRanges& ranges,
                              const TrustRecord& trust, const FieldNetwork& network, const EpochReport& report) {
    const std::vector<Field>& fields = recipe.network.fields;
    std::vector<LearnedFrom> learned_from;
    std::vector<GridAndTimes> grids;
    Json::Array points;
    for (const RunSet& set : data.train()) {
        if (set.data.geometry() != Geometry::generic) {
            grids.push_back(GridAndTimes::of(set.data));
        } else if (points.empty()) {
            const Shape extents = set.data.space().append(set.data.snapshots());
            points = Json::Array(extents.extents().begin(), extents.extents().end());
        }
        learned_from.push_back({set.data, static_cast<std::int64_t>(set.cases.size())});
    }
    Json record = Json::Object{{"ranges", ranges.to_json()},
                               {"trust", trust.to_json()},
                               {"recipe", recorded_recipe(recipe)},
                               {"cases", data.cases()},
                               {"result", to_json(report)}};
    if (!points.empty()) {
        record["points"] = std::move(points);
    }
    if (recipe.rollout.rolls()) {
        record["rollout"] = to_json(recipe.rollout);
        if (const auto step = time_step_of(Dataset(recipe.train_files.front()))) {
            record["rollout_time_step"] = *step;
        }
    }
    if (!grids.empty()) {
        record["grid"] = grids.front().to_json();
    }
    if (std::ranges::any_of(data.train(), [](const RunSet& set) { return !set.data.schedule_ends().empty(); })) {
        record["schedules"] = true;
    }
    for (const auto& [array, entry] : {std::pair("bottom_hole_pressure_limit", "pressure_limits"),
                                       {"dissolution_rate_limit", "dissolution_limits"}}) {
        if (any_has(data, array)) {
            record[entry] = true;
        }
    }
    if (std::ranges::any_of(data.train(), [](const RunSet& set) {
            return set.data.stated("temperature_gradient").value_or(0.0) != 0.0;
        })) {
        record["temperature_gradients"] = true;
    }
    if (grids.size() > 1) {
        record["more_grids"] = more_grids(grids);
    }
    return {recipe.network.network.architecture + " for " + names_of(fields),
            {{stem_of(fields), &network}},
            record,
            model_card(recipe, learned_from, report)};
}

ChiefError chief_error_of(const FieldReport& field) {
    if (field.field == "gas_saturation") {
        return {"MPE", field.mpe};
    }
    return find_array(field.field) != nullptr ? ChiefError{"MRE", field.mre} : ChiefError{"rel. L2", field.relative_l2};
}

std::string text_of(const Evaluation& evaluation) {
    std::string text = fmt::format("validation {:.4f}", evaluation.loss);
    for (const FieldReport& field : reports_of(evaluation)) {
        const ChiefError chief = chief_error_of(field);
        text += fmt::format("  {} {} {:.4f} R2 {:.4f}", field.field, chief.label, chief.value, field.r2);
    }
    return text;
}

EpochReport report_of_start(const Evaluation& evaluation, double seconds) {
    EpochReport report;
    report.train_loss = std::numeric_limits<double>::quiet_NaN();
    report.validation_loss = evaluation.loss;
    report.fields = reports_of(evaluation);
    report.seconds = seconds;
    return report;
}

void write_metrics(const Recipe& recipe, const RankShard& share, const std::vector<EpochReport>& history) {
    if (share.is_first()) {
        write_text_atomically(recipe.output + "/metrics.csv", metrics_csv(history));
        write_text_atomically(recipe.output + "/metrics.jsonl", metrics_jsonl(history));
    }
}

std::vector<FieldReport> reports_of(const Evaluation& evaluation) {
    std::vector<FieldReport> reports;
    for (const FieldEvaluation& field : evaluation.fields) {
        const CaseErrors mean = field.errors.mean();
        reports.push_back({field.field.name, mean.mpe, mean.mre, mean.relative_l2, field.errors.pooled_r2(),
                           field.errors.pooled_r2_plume(), mean.mae});
    }
    return reports;
}

}  // namespace plumecast
