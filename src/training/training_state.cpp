#include "training/training_state.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

constexpr const char* format_name = "plumecast-training-state";

template <class Visitor, class Report>
void visit_field_report(Visitor& v, Report& field) {
    v.required("field", field.field);
    v.required("mpe", field.mpe);
    v.required("mre", field.mre);
    v.required("relative_l2", field.relative_l2);
    v.required("r2", field.r2);
    v.required("r2_plume", field.r2_plume);
    v.required("mae", field.mae);
}

/// The start of a run, epoch 0, has no loss of the training.
template <class Visitor, class Report>
void visit_report(Visitor& v, Report& report) {
    v.required("epoch", report.epoch);
    v.required("learning_rate", report.learning_rate);
    if constexpr (Visitor::reads) {
        if (report.epoch == 0) {
            report.train_loss = std::numeric_limits<double>::quiet_NaN();
            v.field("train_loss", report.train_loss);
        } else {
            v.required("train_loss", report.train_loss);
        }
    } else if (!std::isnan(report.train_loss)) {
        v.required("train_loss", report.train_loss);
    }
    v.field("validation_loss", report.validation_loss);
    v.objects("fields", report.fields, [](auto& item, auto& field) { visit_field_report(item, field); });
    v.required("seconds", report.seconds);
    v.required("best", report.best);
}

template <class Visitor, class State>
void visit_state(Visitor& v, State& state) {
    v.required("epoch", state.epoch);
    v.required("next_batch", state.next_batch);
    v.required("steps", state.steps);
    v.required("loss_sum", state.loss_sum);
    v.required("loss_cases", state.loss_cases);
    v.required("epoch_seconds", state.epoch_seconds);
    v.required("best_loss", state.best_loss);
    v.required("best_epoch", state.best_epoch);
    v.required("epochs_without_gain", state.epochs_without_gain);
    v.required("schedule", state.schedule);
    v.field("data", state.data);
    v.objects("history", state.history, [](auto& item, auto& report) { visit_report(item, report); });
}

std::string number(double value) { return Json(value).dump(-1); }

}  // namespace

EpochReport read_report(JsonReader object) {
    EpochReport report;
    read_whole(object, [&](FieldReader& v) { visit_report(v, report); });
    return report;
}

Json to_json(const EpochReport& report) {
    return written([&](FieldWriter& v) { visit_report(v, report); });
}

Json TrainingState::to_json(const Recipe& recipe) const {
    return written([&](FieldWriter& v) {
        v.field("format", format_name);
        v.field("format_version", 1);
        v.field("recipe", recipe.to_json());
        visit_state(v, *this);
    });
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
        if (lasting_part(saved.to_json()) != lasting_part(recipe.to_json())) {
            throw InvalidModel(
                origin +
                ": belongs to another recipe (only epochs, threads, precision, recompute_blocks, output, "
                "early_stopping and checkpoint_minutes may change); restore the recipe or start a new "
                "run");
        }
        TrainingState state;
        read_whole(reader, [&](FieldReader& v) { visit_state(v, state); });
        return state;
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
