#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <plumecast/inference/predictor.hpp>

#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "interrupts.hpp"
#include "job.hpp"
#include "outputs.hpp"
#include "verdict_lines.hpp"

namespace plumecast::app {
namespace {

struct PredictOptions {
    std::string bundle, input, output;
    std::string extrapolate = "refuse";
    std::int64_t batch = 0;
    int threads = 0;
    DeviceOptions device;
    GridOptions grid;
    bool verbose = false;
    bool strict = false;
    bool uncertainty = false;
    double buildup_limit = 0.0;  // [bar]; 0 for none
    bool is_forced = false;
};

constexpr std::int64_t shown_warnings = 20;

GridTask task_of(const PredictOptions& options) {
    return prediction_task(options.bundle, options.input, options.batch, options.device, options.threads);
}

ExitCode predict(const PredictOptions& options, const Job& job, Console& console) {
    if (options.grid.plan) {
        console.print(plan_table(options.grid, job, task_of(options), options.device, console));
        return exit_ok;
    }
    const auto backend = make_rank_backend(options.device, options.threads, job, console);
    require_output_place(
        {options.output, OutputKind::fields, {options.input, model_path(options.bundle)}, options.is_forced});
    const ProcessGrid grid = make_grid(options.grid, job, [&] { return task_of(options); });
    const Predictor predictor(model_path(options.bundle), *backend, &grid);
    const Interrupts interrupts;
    PredictionOptions prediction;
    prediction.batch = options.batch;
    prediction.uncertainty = options.uncertainty;
    prediction.beyond = options.extrapolate == "nan" ? Beyond::leave_nan : Beyond::refuse;
    std::int64_t warnings = 0;
    prediction.log = [&](Severity severity, std::string_view message) {
        if (options.verbose || severity == Severity::info || ++warnings <= shown_warnings) {
            console.sink()(severity, message);
        }
    };
    if (options.buildup_limit > 0.0) {
        prediction.buildup_limit = options.buildup_limit;
    }
    prediction.stop_requested = [&] { return interrupts.requested(); };
    prediction.progress = [&](std::int64_t done, std::int64_t all) {
        console.progress(fmt::format("predicting  {}/{} ({} %)", done, all, 100 * done / all));
    };
    const PredictionReport report = predictor.predict(options.input, options.output, prediction);
    console.print(fmt::format(
        "{}: {}, {:.1f} ms per case in the networks, {:.2f} s in all with reading and "
        "writing, on {}{}\n",
        options.output, counted(report.cases, "case"), 1e3 * report.compute_seconds / static_cast<double>(report.cases),
        report.seconds, backend->description(), job_text(job, grid)));
    show_verdicts(numbered(report.verdicts.cases), options.output, console, options.verbose);
    return verdict_code(report.verdicts, options.strict, options.output, console);
}

}  // namespace

Command make_predict(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("predict", "Predict fields in physical units for cases of a file");
    const auto options = std::make_shared<PredictOptions>();
    app->add_option("bundle", options->bundle, model_help)->required()->type_name("BUNDLE");
    app->add_option("input", options->input, "Cases: a data set, or a file with ready-made /channels")
        ->required()
        ->type_name("IN.h5");
    CLI::Option* output =
        app->add_option("-o,--output", options->output, "Result file; appears when it is complete, or not at all")
            ->required()
            ->type_name("OUT.h5");
    app->add_option("--extrapolate", options->extrapolate,
                    "What becomes of cells and times beyond those of the training, where a network predicts whole "
                    "fields: an error, or NaN in the result")
        ->check(CLI::IsMember({"refuse", "nan"}))
        ->type_name("refuse|nan")
        ->capture_default_str();
    app->add_flag("--verbose", options->verbose, "Show every warning, not only the first 20");
    app->add_flag("--uncertainty", options->uncertainty,
                  "Write the band of each field too, as the model is calibrated: FIELD_low and FIELD_high");
    add_verdict_options(*app, options->strict, options->buildup_limit);
    add_force(*app, options->is_forced);
    add_batch(*app, options->batch);
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_grid(*app, options->grid);
    // On the spot: CLI11 2.6 asks for what is required before it runs what else an option does.
    app->get_option("--plan")->trigger_on_parse()->each([output](const std::string&) { output->required(false); });
    add_examples(
        *app,
        "  plumecast predict models/radial-co2 cases.h5 -o fields.h5\n"
        "  plumecast predict models/radial-co2 cases.h5 -o fields.h5 --batch 16 --threads 8\n"
        "  plumecast predict models/radial-co2 cases.h5 -o fields.h5 --precision bf16\n"
        "  plumecast predict mine cases.h5 -o fields.h5 --uncertainty\n\n"
        "Inputs outside the ranges the model was trained for are named in warnings on stderr. Each case gets a\n"
        "verdict, good, doubtful or bad, in /case/trust, with reasons in /case/trust_reasons.");
    return {app, [options](Console& console) {
                return on_all_ranks(options->grid, console,
                                    [&](const Job& job) { return predict(*options, job, console); });
            }};
}

}  // namespace plumecast::app
