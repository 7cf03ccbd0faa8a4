#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <plumecast/inference/predictor.hpp>

#include "arguments/model_path.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "device.hpp"
#include "interrupts.hpp"
#include "inverse/inversion/invert.hpp"
#include "inversion_pictures.hpp"
#include "io/output_folder.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct InvertOptions {
    std::string config, output;
    std::vector<std::string> assignments;
    int threads = 0;
    DeviceOptions device;
    bool print_defaults = false;
    bool is_forced = false;
    bool is_resumed = false;
};

/// Tells a run on the console and passes signals on to it.
class InversionConsole : public InversionObserver {
   public:
    InversionConsole(Console& console, const InversionConfig& config, OutputFolder& folder)
        : console_(console), config_(config), folder_(folder) {}

    void message(Severity severity, std::string_view text) override { console_.sink()(severity, text); }
    void progress(const std::string& what, std::int64_t done, std::int64_t all) override {
        console_.progress(fmt::format("{}  case {}/{}", what, done, all));
    }
    void step(const InversionStep& step) override {
        std::string of_method;
        if (config_.method == InversionMethod::esmda) {
            of_method = fmt::format("/{}", config_.steps);
        } else if (config_.method == InversionMethod::smc && step.step > 0) {
            of_method = fmt::format("  temperature {}  accepted {} %", decimals_text(step.temperature),
                                    decimals_text(100.0 * step.accepted));
        }
        console_.info(fmt::format("step {}{}  misfit per observation: members {}, mean {}  spread {}{}", step.step,
                                  of_method, decimals_text(step.members_misfit), decimals_text(step.mean_misfit),
                                  decimals_text(step.spread), step.step == 0 ? "  (prior)" : ""));
    }
    ExitCode exit_code() const { return interrupts_.exit_code(); }
    bool stop_requested() override { return interrupts_.requested(); }
    void state_kept(const std::string& path) override { state_ = path; }
    void before_writing() override { folder_.begin(); }
    /// The file that has the steps of this run; empty before the first.
    const std::string& state() const { return state_; }

   private:
    Console& console_;
    const InversionConfig& config_;
    OutputFolder& folder_;
    std::string state_;
    Interrupts interrupts_;
};

InversionConfig config_of(const InvertOptions& options) {
    if (options.config.empty()) {
        throw InvalidInput(
            "invert takes CONFIG.json, or --default (what to invert is not given); run 'plumecast invert --help'");
    }
    InversionConfig config = InversionConfig::from_file(options.config);
    for (const std::string& assignment : options.assignments) {
        config.set(assignment);
    }
    if (!options.output.empty()) {
        config.output = options.output;
    }
    config.check();
    return config;
}

/// What becomes of a state that is there. Throws InvalidInput where nothing is said of it.
FormerState former_state(const InvertOptions& options, const std::string& output) {
    if (options.is_resumed) {
        return FormerState::resume;
    }
    const std::string state = inversion_state_file(output);
    std::error_code absent;
    if (!options.is_forced && std::filesystem::exists(state, absent)) {
        throw InvalidInput(state +
                           ": is there already (an interrupted inversion left it, and what it found would be lost); go "
                           "on from it with --resume, or begin anew with --force");
    }
    return options.is_forced ? FormerState::replace : FormerState::refuse;
}

ExitCode invert_observations(const InvertOptions& options, Console& console) {
    if (options.print_defaults) {
        InversionConfig config = InversionConfig::defaults();
        for (const std::string& assignment : options.assignments) {
            config.set(assignment);
        }
        console.print(config.to_json().dump() + "\n");
        return exit_ok;
    }
    const InversionConfig config = config_of(options);
    std::vector<std::string> names{posterior_file, misfit_file, convergence_file, record_file};
    std::ranges::copy(inversion_pictures(), std::back_inserter(names));
    for (const std::string& name : names) {
        require_not_among((std::filesystem::path(config.output) / name).string(),
                          {options.config, config.case_file, config.prior, config.observations, config.model_error});
    }
    const auto is_claimed = [&names](const std::filesystem::path& file) {
        return std::ranges::find(names, file.string()) != names.end();
    };
    OutputFolder folder(config.output, options.config, is_claimed, options.is_forced);
    const bool has_network = config.model != "estimate";
    std::unique_ptr<Backend> backend;
    std::optional<Predictor> predictor;
    if (has_network) {
        backend = make_backend(options.device, options.threads, console);
        predictor.emplace(model_path(config.model), *backend);
    }
    InversionConsole observer(console, config, folder);
    InversionReport report;
    try {
        report = invert(config, has_network ? &*predictor : nullptr, usable_threads(options.threads, console),
                        config.output, observer, former_state(options, config.output));
    } catch (const Interrupted&) {
        console.warn(observer.state().empty()
                         ? std::string("interrupted before the first step; nothing was written")
                         : fmt::format("interrupted; the steps so far are in {}; continue with the same command and "
                                       "--resume",
                                       observer.state()));
        return observer.exit_code();
    }
    draw_inversion(config, report);
    folder.finish(OutputFolder::Former::remove);
    const InversionStep &first = report.steps.front(), &last = report.steps.back();
    console.print(fmt::format(
        "{}: {}, misfit per observation {} before and {} after, {}\n",
        (std::filesystem::path(config.output) / posterior_file).string(), counted(last.members, "member"),
        decimals_text(first.members_misfit), decimals_text(last.members_misfit),
        report.calibration_cases == 0 ? std::string("without the model's error")
                                      : "with the model's error in " + counted(report.calibration_cases, "case")));
    return exit_ok;
}

}  // namespace

Command make_invert(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("invert", "Find the reservoirs of a prior that explain observations");
    const auto options = std::make_shared<InvertOptions>();
    app->add_option("config", options->config, "Configuration ('plumecast invert --default' prints one)")
        ->type_name("CONFIG.json");
    app->add_option("--set", options->assignments, "Change an entry: --set steps=6; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app->add_option("-o,--output", options->output, "Folder of the results, instead of the configuration's")
        ->type_name("FOLDER");
    app->add_flag("--default", options->print_defaults, "Print a configuration with all its entries");
    app->add_flag("--resume", options->is_resumed,
                  "Go on after the last step of a run that was stopped or killed; from the start where there is none");
    add_force(*app, options->is_forced);
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(
        *app,
        "  plumecast invert --default > inversion.json\n"
        "  plumecast invert inversion.json\n"
        "  plumecast invert inversion.json --set model_error=off --output posterior_of_exact_model\n"
        "  plumecast predict models/radial-co2 posterior/posterior.h5 -o forecast.h5\n\n"
        "The folder gets posterior.h5, a data set of realizations that predict and report take, observations.csv\n"
        "with the misfit of each observation, convergence.csv, inversion.json, and pictures of observations and\n"
        "unknowns. Progress is on stderr. Ctrl-C ends it, and --resume goes on after the last step.");
    return {app, [options](Console& console) { return invert_observations(*options, console); }};
}

}  // namespace plumecast::app
