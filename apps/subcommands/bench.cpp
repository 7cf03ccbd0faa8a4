#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>

#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "device.hpp"
#include "inference/prediction_speed.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct BenchOptions {
    std::string bundle, input, output;
    std::int64_t batch = 4;
    int threads = 0;
    int rounds = 3;
    DeviceOptions device;
    bool json = false;
    bool is_forced = false;
};

/// Where results go whose only use is to be written; the file goes when this goes.
class ScratchResult {
   public:
    explicit ScratchResult(const std::string& asked)
        : path_(asked.empty() ? std::filesystem::temp_directory_path() / fmt::format("plumecast_bench_{}.h5", getpid())
                              : std::filesystem::path(asked)),
          is_kept_(!asked.empty()) {}
    ScratchResult(const ScratchResult&) = delete;
    ScratchResult& operator=(const ScratchResult&) = delete;
    ~ScratchResult() {
        std::error_code ignored;
        if (!is_kept_) {
            std::filesystem::remove(path_, ignored);
        }
    }
    std::string path() const { return path_.string(); }

   private:
    std::filesystem::path path_;
    bool is_kept_;
};

std::string text_of(const PredictionSpeed& speed, const BenchOptions& options, const std::string& device) {
    const double cases = static_cast<double>(speed.cases);
    return fmt::format(
        "{} cases, batches of {}, median of {} rounds on {}\n"
        "  networks alone     {:8.2f} ms per case\n"
        "  from file to file  {:8.2f} ms per case, {:.2f} of the rate of the networks alone\n"
        "    input checks     {:8.2f}\n"
        "    loading, physics {:8.2f}  as far as networks waited for it\n"
        "    networks         {:8.2f}\n"
        "    verdicts         {:8.2f}\n"
        "    writing          {:8.2f}  and the rest\n",
        speed.cases, options.batch, options.rounds, device, 1e3 * speed.compute / cases, 1e3 * speed.whole / cases,
        speed.kept_rate(), 1e3 * speed.stages.checks / cases, 1e3 * speed.stages.physics / cases,
        1e3 * speed.stages.networks / cases, 1e3 * speed.stages.judging / cases, 1e3 * speed.stages.writing / cases);
}

Json json_of(const PredictionSpeed& speed, const BenchOptions& options, const std::string& device) {
    return Json::Object{{"device", device},
                        {"cases", speed.cases},
                        {"batch", options.batch},
                        {"rounds", options.rounds},
                        {"compute_s", speed.compute},
                        {"whole_s", speed.whole},
                        {"kept_rate", speed.kept_rate()},
                        {"stages_s", Json::Object{{"checks", speed.stages.checks},
                                                  {"physics", speed.stages.physics},
                                                  {"networks", speed.stages.networks},
                                                  {"judging", speed.stages.judging},
                                                  {"writing", speed.stages.writing}}}};
}

ExitCode bench_predict(const BenchOptions& options, Console& console) {
    require_output_place(
        {options.output, OutputKind::fields, {options.input, model_path(options.bundle)}, options.is_forced});
    const auto backend = make_backend(options.device, options.threads, console);
    const Predictor predictor(model_path(options.bundle), *backend);
    const ScratchResult result(options.output);
    const Interrupts interrupts;
    SpeedOptions speed_options;
    speed_options.batch = options.batch;
    speed_options.rounds = options.rounds;
    speed_options.stop_requested = [&] { return interrupts.requested(); };
    speed_options.progress = [&](int done, int all) { console.progress(fmt::format("measuring  {}/{}", done, all)); };
    const PredictionSpeed speed = measure_prediction(predictor, options.input, result.path(), speed_options);
    const std::string device = backend->description();
    console.print(options.json ? json_of(speed, options, device).dump() + "\n" : text_of(speed, options, device));
    return exit_ok;
}

}  // namespace

Command make_bench(CLI::App& parent) {
    CLI::App* bench = parent.add_subcommand("bench", "Measure speed on this machine");
    bench->require_subcommand(1);
    CLI::App* app = bench->add_subcommand("predict", "Predictions: the networks alone, and from file to file");
    const auto options = std::make_shared<BenchOptions>();
    app->add_option("bundle", options->bundle, model_help)->required()->type_name("BUNDLE");
    app->add_option("input", options->input, "Cases: a data set")->required()->type_name("IN.h5");
    app->add_option("-o,--output", options->output,
                    "Result file to write and keep; by default one in the folder for temporary files that goes again")
        ->type_name("OUT.h5");
    app->add_option("--rounds", options->rounds, "How often the two are measured in turn")
        ->check(above_zero())
        ->type_name("N")
        ->capture_default_str();
    app->add_flag("--json", options->json, "Print JSON");
    add_force(*app, options->is_forced);
    add_batch(*app, options->batch);
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(*app,
                 "  plumecast bench predict models/radial-co2 cases.h5\n"
                 "  plumecast bench predict models/radial-co2 cases.h5 --threads 1 --rounds 5 --json\n\n"
                 "Nothing else should run meanwhile.");
    return {bench, [options](Console& console) { return bench_predict(*options, console); }};
}

}  // namespace plumecast::app
