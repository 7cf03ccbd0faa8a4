#include <memory>
#include <optional>
#include <string>

#include <plumecast/core/error.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "generation_console.hpp"
#include "outputs.hpp"
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

/// Inputs without a simulation, as a prior has them.
ExitCode draw_alone(const GenerateOptions& options, const GeneratorConfiguration& configuration,
                    GenerationConsole& observer, Console& console) {
    require_output_place({options.run.output, OutputKind::data_set, {options.config}, options.is_forced});
    const GenerationReport report = draw_inputs(configuration, options.run.output, observer);
    if (!report.is_complete) {
        console.warn("interrupted; nothing was written");
        return exit_interrupted;
    }
    return observer.end(report, options.run.output);
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
    const GenerationOptions run = simulation_run(options.run, options.config, options.is_forced);
    return observer.end(generate(configuration, run, observer), run.output);
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
