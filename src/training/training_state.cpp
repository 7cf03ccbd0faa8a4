#include "training/training_state.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace plumecast {
namespace {

constexpr const char* format_name = "plumecast-training-state";

FieldReport read_field(JsonReader reader) {
    FieldReport field{reader.get<std::string>("field"),  reader.get<double>("mpe"), reader.get<double>("mre"),
                      reader.get<double>("relative_l2"), reader.get<double>("r2"),  reader.get<double>("r2_plume"),
                      reader.get<double>("mae")};
    reader.reject_unknown();
    return field;
}

}  // namespace

EpochReport read_report(JsonReader reader) {
    EpochReport report;
    report.epoch = reader.get<int>("epoch");
    report.learning_rate = reader.get<double>("learning_rate");
    const bool is_start = report.epoch == 0 && !reader.has("train_loss");
    report.train_loss = is_start ? std::numeric_limits<double>::quiet_NaN() : reader.get<double>("train_loss");
    if (reader.has("validation_loss")) {
        report.validation_loss = reader.get<double>("validation_loss");
    }
    for (JsonReader& field : reader.objects("fields")) {
        report.fields.push_back(read_field(field));
    }
    report.seconds = reader.get<double>("seconds");
    report.best = reader.get<bool>("best");
    reader.reject_unknown();
    return report;
}

namespace {

TrainingState read_state(JsonReader& reader) {
    TrainingState state;
    state.epoch = reader.get<int>("epoch");
    state.next_batch = reader.get<std::int64_t>("next_batch");
    state.steps = reader.get<std::int64_t>("steps");
    state.loss_sum = reader.get<double>("loss_sum");
    state.loss_cases = reader.get<std::int64_t>("loss_cases");
    state.epoch_seconds = reader.get<double>("epoch_seconds");
    state.best_loss = reader.get<double>("best_loss");
    state.best_epoch = reader.get<int>("best_epoch");
    state.epochs_without_gain = reader.get<int>("epochs_without_gain");
    state.schedule = reader.raw("schedule");
    if (reader.has("data")) {
        state.data = reader.raw("data");
    }
    for (JsonReader& report : reader.objects("history")) {
        state.history.push_back(read_report(report));
    }
    reader.reject_unknown();
    return state;
}

/// A recipe that states no version takes the latest one, and a run may have begun with one before.
void require_same_physics(const Recipe& saved, const Recipe& recipe, const std::string& origin) {
    const auto& before = saved.network.physics;
    const auto& now = recipe.network.physics;
    if (before && now && before->settings.version != now->settings.version) {
        const std::string version = std::to_string(before->settings.version);
        throw InvalidModel(origin + ": the run corrects version " + version +
                           " of the reduced physics (the recipe has version " + std::to_string(now->settings.version) +
                           "); set physics.version to " + version + " in the recipe");
    }
}

std::string number(double value) { return Json(value).dump(-1); }

}  // namespace

Json to_json(const EpochReport& report) {
    Json::Array fields;
    for (const FieldReport& f : report.fields) {
        fields.push_back(Json::Object{{"field", f.field},
                                      {"mpe", f.mpe},
                                      {"mre", f.mre},
                                      {"relative_l2", f.relative_l2},
                                      {"r2", f.r2},
                                      {"r2_plume", f.r2_plume},
                                      {"mae", f.mae}});
    }
    Json::Object json{{"epoch", report.epoch}, {"learning_rate", report.learning_rate}};
    if (!std::isnan(report.train_loss)) {
        json.emplace_back("train_loss", report.train_loss);
    }
    if (report.validation_loss) {
        json.emplace_back("validation_loss", *report.validation_loss);
    }
    json.emplace_back("fields", std::move(fields));
    json.emplace_back("seconds", report.seconds);
    json.emplace_back("best", report.best);
    return json;
}

Json TrainingState::to_json(const Recipe& recipe) const {
    Json::Array reports;
    for (const EpochReport& report : history) {
        reports.push_back(plumecast::to_json(report));
    }
    return Json::Object{{"format", format_name},          {"format_version", 1},
                        {"recipe", recipe.to_json()},     {"epoch", epoch},
                        {"next_batch", next_batch},       {"steps", steps},
                        {"loss_sum", loss_sum},           {"loss_cases", loss_cases},
                        {"epoch_seconds", epoch_seconds}, {"best_loss", best_loss},
                        {"best_epoch", best_epoch},       {"epochs_without_gain", epochs_without_gain},
                        {"schedule", schedule},           {"data", data},
                        {"history", std::move(reports)}};
}

TrainingState TrainingState::from_text(const std::string& json, const std::string& origin, const Recipe& recipe) {
    try {
        const Json parsed = Json::parse(json, origin);
        JsonReader reader(parsed, origin);
        if (reader.get<std::string>("format") != format_name || reader.get<int>("format_version") != 1) {
            throw InvalidModel(origin +
                               ": not a training state of version 1 (format or version differ); resume with "
                               "the program that wrote it");
        }
        const Recipe saved = Recipe::from_json(as_recorded(reader.raw("recipe")), origin + ": recipe", "");
        require_same_physics(saved, recipe, origin);
        if (lasting_part(saved.to_json()) != lasting_part(recipe.to_json())) {
            throw InvalidModel(
                origin +
                ": belongs to another recipe (only epochs, threads, precision, recompute_blocks, output, "
                "early_stopping and checkpoint_minutes may change); restore the recipe or start a new "
                "run");
        }
        return read_state(reader);
    } catch (const InvalidModel&) {
        throw;
    } catch (const InvalidInput& error) {
        throw InvalidModel(error.what());
    }
}

std::string metrics_csv(const std::vector<EpochReport>& history) {
    std::string text =
        "epoch,learning_rate,train_loss,validation_loss,field,mpe,mre,relative_l2,r2,r2_plume,mae,seconds\n";
    for (const EpochReport& report : history) {
        const std::string start = std::to_string(report.epoch) + "," + number(report.learning_rate) + "," +
                                  (std::isnan(report.train_loss) ? "" : number(report.train_loss)) + "," +
                                  (report.validation_loss ? number(*report.validation_loss) : "") + ",";
        if (report.fields.empty()) {
            text += start + ",,,,,,," + number(report.seconds) + "\n";
        }
        for (const FieldReport& f : report.fields) {
            text += start + f.field + "," + number(f.mpe) + "," + number(f.mre) + "," + number(f.relative_l2) + "," +
                    number(f.r2) + "," + number(f.r2_plume) + "," + number(f.mae) + "," + number(report.seconds) + "\n";
        }
    }
    return text;
}

std::string metrics_jsonl(const std::vector<EpochReport>& history) {
    std::string text;
    for (const EpochReport& report : history) {
        text += to_json(report).dump(-1) + "\n";
    }
    return text;
}

}  // namespace plumecast
