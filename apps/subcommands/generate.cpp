#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "interrupts.hpp"
#include "outputs.hpp"
#include "reservoir/dataset/dataset_origin.hpp"
#include "reservoir/generation/drawn_inputs.hpp"
#include "reservoir/generation/generator.hpp"

namespace plumecast::app {
namespace {

struct GenerateOptions {
    std::string config;
    GenerationOptions run;
    std::int64_t cases = 0;
    std::optional<std::uint64_t> seed;
    bool print_defaults = false;
    bool cartesian = false;
    bool inputs_only = false;
    bool is_forced = false;
};

/// Tells a run on the console and passes signals on to it.
class GenerationConsole : public GenerationObserver {
   public:
    GenerationConsole(Console& console, bool is_verbose) : console_(console), is_verbose_(is_verbose) {}

    void progress(const GenerationProgress& p) override {
        console_.progress(fmt::format("{}/{} cases  {} rejected  {} running  {:.0f} cases/h  {} left", p.finished,
                                      p.wanted, p.rejected, p.running, p.cases_per_hour,
                                      duration_text(p.seconds_left)));
    }
    void rejected(const RejectedCase& rejected) override {
        if (is_verbose_) {
            console_.info(
                fmt::format("case {} rejected: {} ({})", rejected.number, name_of(rejected.reason), rejected.detail));
        }
    }
    bool stop_requested() override { return interrupts_.requested(); }

    static std::string_view name_of(Rejection reason) { return rejection_names[static_cast<std::size_t>(reason)]; }
    ExitCode exit_code() const { return interrupts_.exit_code(); }

   private:
    Console& console_;
    bool is_verbose_;
    Interrupts interrupts_;
};

std::string summary(const GenerationReport& report) {
    std::int64_t rejected = 0;
    for (const auto& [reason, count] : report.rejected) {
        rejected += count;
    }
    std::string text = fmt::format("{}, {} rejected\n", counted(report.finished, "case"), rejected);
    for (const auto& [reason, count] : report.rejected) {
        text += fmt::format("  {:<36}{:>6}\n", GenerationConsole::name_of(reason), count);
    }
    return text;
}

/// How the run treats what is there. Throws InvalidInput where it would lose anything.
GenerationOptions run_of(const GenerateOptions& options) {
    GenerationOptions run = options.run;
    if (run.resume) {
        require_not_among(run.output, {options.config});
        return run;
    }
    Output output{run.output, OutputKind::data_set, {options.config}, options.is_forced};
    if (dataset_origin(run.output) == DatasetOrigin::irreplaceable) {
        output.remedy = "continue it with --resume, " + output.remedy;
    }
    require_output_place(output);
    std::error_code ignored;
    run.replace = options.is_forced || !std::filesystem::exists(run.output + ".parts", ignored);
    run.replace_decks = options.is_forced;
    return run;
}

/// Inputs without a simulation, as a prior has them.
ExitCode draw_alone(const GenerateOptions& options, const GeneratorConfiguration& configuration,
                    GenerationConsole& observer, Console& console) {
    require_output_place({options.run.output, OutputKind::data_set, {options.config}, options.is_forced});
    const GenerationReport report = draw_inputs(configuration, options.run.output, observer);
    if (!report.is_complete) {
        console.warn("interrupted; nothing was written");
        return exit_interrupted;
    }
    console.print(options.run.output + ": " + summary(report));
    return exit_ok;
}

ExitCode generate_cases(const GenerateOptions& options, bool is_verbose, Console& console) {
    if (options.print_defaults) {
        const GeneratorConfiguration defaults =
            options.cartesian ? GeneratorConfiguration::cartesian() : GeneratorConfiguration();
        console.print(defaults.to_json().dump() + "\n");
        return exit_ok;
    }
    if (options.config.empty() || options.run.output.empty()) {
        throw InvalidInput(
            "generate takes CONFIG.json and -o DATA.h5, or --default (what to make and where is not given); run "
            "'plumecast generate --help'");
    }
    GeneratorConfiguration configuration = GeneratorConfiguration::from_file(options.config);
    if (options.cases > 0) {
        configuration.cases = options.cases;
    }
    configuration.seed = options.seed.value_or(configuration.seed);
    GenerationConsole observer(console, is_verbose);
    if (options.inputs_only) {
        return draw_alone(options, configuration, observer, console);
    }
    const GenerationReport report = generate(configuration, run_of(options), observer);
    if (!report.is_complete) {
        console.warn(
            fmt::format("interrupted; {} kept in {}.parts; continue with the same command "
                        "and --resume",
                        counted(report.finished, "finished case"), options.run.output));
        return observer.exit_code();
    }
    console.print(options.run.output + ": " + summary(report));
    return exit_ok;
}

}  // namespace

Command make_generate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("generate", "Make a data set: draw cases and simulate them with OPM Flow");
    const auto options = std::make_shared<GenerateOptions>();
    const auto is_verbose = std::make_shared<bool>(false);
    app->add_option("config", options->config, "Configuration ('plumecast generate --default' prints one)")
        ->type_name("CONFIG.json");
    app->add_option("-o,--output", options->run.output, "Data set file; appears when all cases are finished")
        ->type_name("DATA.h5");
    app->add_option("--jobs", options->run.jobs, "Simulators at work at once, one thread each")
        ->check(between(1, 4096))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--cases", options->cases, "Number of cases, instead of the configuration's")
        ->check(above_zero())
        ->type_name("N");
    app->add_option("--seed", options->seed, "Seed, instead of the configuration's; another one gives other cases")
        ->type_name("N");
    app->add_flag("--resume", options->run.resume,
                  "Continue a run that was stopped or killed, or add cases to a finished one");
    app->get_option("--resume")->excludes(add_force(*app, options->is_forced));
    app->add_option("--keep-decks", options->run.keep_decks, "Keep decks and simulator output in this folder")
        ->type_name("FOLDER");
    app->add_flag("--inputs-only", options->inputs_only,
                  "Draw the cases and leave the simulator out: a data set without outputs, as a prior of invert")
        ->excludes("--resume")
        ->excludes("--jobs")
        ->excludes("--keep-decks");
    app->add_flag("--verbose", *is_verbose, "Name every rejected case with the reason");
    app->add_flag("--default", options->print_defaults, "Print a configuration with all its entries");
    app->add_flag("--cartesian", options->cartesian, "With --default: for a Cartesian grid with several wells");
    add_examples(*app,
                 "  plumecast generate --default > cases.json\n"
                 "  plumecast generate --default --cartesian > cases3d.json\n"
                 "  plumecast generate cases.json -o data.h5 --jobs 8\n"
                 "  plumecast generate cases.json -o data.h5 --jobs 8 --resume --cases 500\n"
                 "  plumecast generate cases.json -o prior.h5 --inputs-only --cases 200 --seed 7\n\n"
                 "The simulator is OPM Flow (Debian: libopm-simulators-bin), run as a program of its own.");
    return {app, [options, is_verbose](Console& console) { return generate_cases(*options, *is_verbose, console); }};
}

}  // namespace plumecast::app
