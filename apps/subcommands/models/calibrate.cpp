#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "arguments/model_path.hpp"
#include "command.hpp"
#include "device.hpp"
#include "inference/trust/calibration.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct CalibrateOptions {
    std::string bundle;
    CalibrationFiles files;
    int threads = 0;
    DeviceOptions device;
};

/// Throws IoError for a model that is there and cannot get a record.
void require_open(const std::string& bundle) {
    std::error_code ignored;
    if (std::filesystem::is_directory(bundle, ignored) && ::access(bundle.c_str(), W_OK | X_OK) != 0) {
        throw IoError(
            bundle +
            ": cannot be written (the record goes into its model.json, and the folder is closed to you); copy "
            "the folder, and calibrate the copy by its path");
    }
}

/// The result files on the way, in the model's folder: replaced and removed as outputs are.
void place_scratch(const std::string& bundle, CalibrationFiles& files) {
    files.scratch = (std::filesystem::path(bundle) / ".calibration").string();
    std::vector<std::string> inputs = files.held_out;
    inputs.insert(inputs.end(), {files.training, files.test});
    for (const std::string& scratch : files.scratch_files()) {
        require_output_place({scratch, OutputKind::fields, inputs, false, "move it elsewhere"});
    }
}

ExitCode calibrate_bundle(const CalibrateOptions& options, Console& console) {
    const std::string bundle = model_path(options.bundle);
    require_open(bundle);
    CalibrationFiles files = options.files;
    place_scratch(bundle, files);
    const auto backend = make_backend(options.device, options.threads, console);
    const Predictor predictor(bundle, *backend);
    const Interrupts interrupts;
    PredictionOptions prediction;
    prediction.stop_requested = [&] { return interrupts.requested(); };
    prediction.progress = [&](std::int64_t done, std::int64_t all) {
        console.progress(fmt::format("predicting  {}/{} ({} %)", done, all, 100 * done / all));
    };
    const Calibration found = calibrate(predictor, files, prediction);
    record_trust(bundle, found.record);
    for (const FigureBand& band : found.record.bands.figures) {
        console.print(fmt::format(
            "{}: interval of {:g} % from {} cases: {:.4g} to either side at 0, {:.3g} % of the value more\n",
            band.figure, 100.0 * found.record.bands.level, found.record.bands.cases, band.width,
            100.0 * band.width * band.growth));
    }
    for (const FieldBand& band : found.record.field_bands.fields) {
        console.print(
            fmt::format("{}: band of {:g} % of the cells of a case at {:g} % from {} cases: half the width is {}\n",
                        band.field, 100.0 * found.record.field_bands.share, 100.0 * found.record.field_bands.level,
                        found.record.field_bands.cases, band.text()));
    }
    if (found.record.cloud.empty()) {
        console.warn(
            fmt::format("{}: does not record where its training cases lie, so that no case counts as too far from them "
                        "for its intervals; name them with --training",
                        bundle));
    }
    if (files.only_intervals) {
        return exit_ok;
    }
    if (found.record.bands.empty()) {
        console.info(
            fmt::format("no intervals of figures and no bands of fields: they need {} held-out cases in each file",
                        FigureBands::least_cases));
    }
    console.print(fmt::format("{}: judges by expected errors now, doubtful from {:.2f} times the usual error on\n",
                              bundle, found.record.limits.expected.doubtful));
    console.print(fmt::format("held-out cases: {}\n", found.held_out.text()));
    if (found.test) {
        console.print(fmt::format("test cases: {}\n", found.test->text()));
    }
    return exit_ok;
}

}  // namespace

Command make_calibrate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("calibrate", "Teach a model how large its error is to be expected");
    const auto options = std::make_shared<CalibrateOptions>();
    app->add_option("bundle", options->bundle, std::string(model_help) + "; its model.json gets the record")
        ->required()
        ->type_name("BUNDLE");
    app->add_option("held_out", options->files.held_out,
                    "Simulated cases that the model was not trained on; of several files intervals and bands hold in\n"
                    "each of them")
        ->required()
        ->type_name("CASES.h5");
    app->add_option("--training", options->files.training,
                    "The cases it was trained on, for models that do not record where these lie")
        ->type_name("CASES.h5");
    app->add_option("--test", options->files.test, "Further simulated cases; tells how often the verdicts are right")
        ->type_name("CASES.h5");
    app->add_flag("--only-intervals", options->files.only_intervals,
                  "Calibrate intervals of figures and bands of fields alone; what verdicts follow from stays, but for\n"
                  "--training");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(*app,
                 "  plumecast calibrate runs/co2/best validation.h5 --test test.h5\n"
                 "  plumecast calibrate runs/co2/best held_out.h5 --only-intervals\n"
                 "  plumecast calibrate runs/co2/best one_rate.h5 schedules.h5 --only-intervals\n\n"
                 "Weights and hash of the model stay what they are. Held-out cases must be at least twice as many as\n"
                 "the features that expected errors follow from (16 for a model with physics), better ten times.");
    return {app, [options](Console& console) { return calibrate_bundle(*options, console); }};
}

}  // namespace plumecast::app
