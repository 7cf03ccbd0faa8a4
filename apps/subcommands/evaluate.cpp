#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>

#include "arguments/model_path.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "inference/scores.hpp"
#include "interrupts.hpp"
#include "job.hpp"
#include "reservoir/metrics/field_comparison.hpp"
#include "score_table.hpp"

namespace plumecast::app {
namespace {

struct EvaluateOptions {
    std::string bundle, data;
    std::int64_t batch = 0;
    int threads = 0;
    DeviceOptions device;
    GridOptions grid;
    bool json = false;
    bool per_case = false;
};

double milliseconds_per_case(const std::vector<Evaluation>& evaluations, std::int64_t cases) {
    double seconds = 0.0;
    for (const Evaluation& evaluation : evaluations) {
        seconds += evaluation.compute_seconds;
    }
    return 1e3 * seconds / static_cast<double>(cases);
}

std::string text_of(const std::vector<Evaluation>& evaluations, bool per_case) {
    std::string text;
    for (const Evaluation& evaluation : evaluations) {
        for (const FieldEvaluation& field : evaluation.fields) {
            text += (per_case ? case_table(field, evaluation.cases) + "\n" : "") + score_table(field) + "\n";
        }
    }
    return text;
}

Json json_of(const std::vector<Evaluation>& evaluations) {
    Json::Array fields;
    for (const Evaluation& evaluation : evaluations) {
        for (const FieldEvaluation& field : evaluation.fields) {
            fields.push_back(score_json(field, evaluation.cases));
        }
    }
    return fields;
}

/// "3 of 100 cases were skipped: 4, 7, 9 (no values)" as a line; empty where all were compared.
std::string skipped_text(const std::vector<std::int64_t>& skipped, std::int64_t all, std::string_view why) {
    constexpr std::size_t most = 20;
    if (skipped.empty()) {
        return "";
    }
    const std::span<const std::int64_t> named(skipped.data(), std::min(skipped.size(), most));
    return fmt::format("{} of {} {} skipped: {}{} ({})\n", skipped.size(), counted(all, "case"),
                       skipped.size() == 1 ? "was" : "were", fmt::join(named, ", "),
                       skipped.size() > most ? " and more" : "", why);
}

/// Cases that one of the networks was not compared on, with the reasons.
std::map<std::int64_t, std::string> left_out_of(const std::vector<Evaluation>& evaluations) {
    std::map<std::int64_t, std::string> all;
    for (const Evaluation& evaluation : evaluations) {
        all.insert(evaluation.left_out.begin(), evaluation.left_out.end());
    }
    return all;
}

GridTask task_of(const EvaluateOptions& options) {
    return prediction_task(options.bundle, options.data, options.batch, options.device, options.threads);
}

ExitCode evaluate(const EvaluateOptions& options, const Job& job, Console& console) {
    if (options.grid.plan) {
        console.print(plan_table(options.grid, job, task_of(options), options.device, console));
        return exit_ok;
    }
    const auto backend = make_rank_backend(options.device, options.threads, job, console);
    const ProcessGrid grid = make_grid(options.grid, job, [&] { return task_of(options); });
    const Predictor predictor(model_path(options.bundle), *backend, &grid);
    const Dataset dataset(options.data);
    const Interrupts interrupts;
    EvaluationOptions evaluation;
    evaluation.batch = options.batch;
    evaluation.log = console.sink();
    evaluation.compare_physics = true;
    evaluation.stop_requested = [&] { return interrupts.requested(); };
    evaluation.progress = [&](std::int64_t done) {
        console.progress(fmt::format("evaluating  case {}/{}", done, dataset.cases()));
    };
    const std::vector<Evaluation> evaluations = predictor.evaluate(dataset, evaluation);
    const std::map<std::int64_t, std::string> left_out = left_out_of(evaluations);
    const auto numbers = left_out | std::views::keys;
    const std::vector<std::int64_t> skipped(numbers.begin(), numbers.end());
    const double milliseconds = milliseconds_per_case(evaluations, dataset.cases());
    if (options.json) {
        console.print(Json(Json::Object{{"model", predictor.bundle().title},
                                        {"model_hash", predictor.bundle().hash()},
                                        {"data", options.data},
                                        {"cases", dataset.cases()},
                                        {"milliseconds_per_case", milliseconds},
                                        {"device", backend->description()},
                                        {"skipped", Json::Array(skipped.begin(), skipped.end())},
                                        {"fields", json_of(evaluations)}})
                          .dump() +
                      "\n");
    } else {
        console.print(text_of(evaluations, options.per_case));
        console.print(fmt::format("{}, {:.1f} ms per case in the networks, on {}{}\n", counted(dataset.cases(), "case"),
                                  milliseconds, backend->description(), job_text(job, grid)));
        console.print(skipped_text(skipped, dataset.cases(), left_out.empty() ? "" : left_out.begin()->second));
    }
    return exit_ok;
}

std::string names_text(const Dataset& fields) {
    const std::string model = fields.attribute("model");
    return model.empty() ? fields.path() : fields.path() + ", by " + model;
}

/// Judges a result file, whatever made it.
ExitCode evaluate_fields(const EvaluateOptions& options, Console& console) {
    const Dataset fields(options.bundle), simulated(options.data);
    if (!simulated.has_outputs()) {
        throw InvalidData(simulated.path() +
                          ": no /outputs to compare with (the file holds inputs only); give a simulated data set");
    }
    const Interrupts interrupts;
    const FileComparison found = compare_fields(fields, simulated, [&](std::int64_t done, std::int64_t all) {
        console.progress(fmt::format("comparing  case {}/{}", done, all));
        return !interrupts.requested();
    });
    if (!found.is_complete) {
        throw Interrupted();
    }
    Evaluation evaluation;
    evaluation.cases = found.cases;
    for (const FieldComparison& one : found.fields) {
        Field field;
        field.name = one.name;
        field.unit = one.unit;
        evaluation.fields.push_back({field, one.errors, std::nullopt});
    }
    std::vector<std::int64_t> skipped = found.skipped;
    skipped.insert(skipped.end(), found.without_injection.begin(), found.without_injection.end());
    std::ranges::sort(skipped);
    if (options.json) {
        console.print(Json(Json::Object{{"model", fields.attribute("model")},
                                        {"model_hash", fields.attribute("model_hash")},
                                        {"fields_file", fields.path()},
                                        {"data", options.data},
                                        {"cases", simulated.cases()},
                                        {"skipped", Json::Array(skipped.begin(), skipped.end())},
                                        {"fields", json_of({evaluation})}})
                          .dump() +
                      "\n");
    } else {
        console.print(text_of({evaluation}, options.per_case));
        console.print(fmt::format("{} of {}\n", counted(simulated.cases(), "case"), names_text(fields)));
        console.print(skipped_text(found.skipped, simulated.cases(), "no values"));
        console.print(skipped_text(found.without_injection, simulated.cases(),
                                   "nothing is injected, so that errors are relative to nothing"));
    }
    return exit_ok;
}

}  // namespace

Command make_evaluate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("evaluate", "Compare predictions or a result file with a simulator's fields");
    const auto options = std::make_shared<EvaluateOptions>();
    app->add_option("bundle", options->bundle, std::string(model_help) + "; or a result file of the same cases")
        ->required()
        ->type_name("BUNDLE|FIELDS.h5");
    app->add_option("data", options->data, "Data set with outputs")->required()->type_name("DATA.h5");
    app->add_flag("--json", options->json, "Print JSON, with the errors of every case");
    app->add_flag("--per-case", options->per_case, "Print a line per case as well");
    add_batch(*app, options->batch);
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_grid(*app, options->grid);
    add_examples(
        *app,
        "  plumecast evaluate models/radial-co2 validation.h5\n"
        "  plumecast evaluate models/radial-co2 validation.h5 --json > errors.json\n"
        "  plumecast evaluate fields.h5 validation.h5\n\n"
        "Saturation is judged by MPE, pressure build-up by MRE (Wen et al. 2022); docs/numerics.md defines them.");
    return {app, [options](Console& console) {
                if (std::filesystem::is_regular_file(options->bundle)) {
                    return evaluate_fields(*options, console);
                }
                return on_all_ranks(options->grid, console,
                                    [&](const Job& job) { return evaluate(*options, job, console); });
            }};
}

}  // namespace plumecast::app
