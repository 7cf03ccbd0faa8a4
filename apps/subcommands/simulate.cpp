#include <memory>
#include <string>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "generation_console.hpp"
#include "outputs.hpp"
#include "reservoir/generation/generator.hpp"

namespace plumecast::app {
namespace {

struct SimulateOptions {
    std::string cases;
    GenerationOptions run;
    SimulatorSettings simulator;
    bool is_forced = false;
    bool is_verbose = false;
};

ExitCode simulate_cases(const SimulateOptions& options, Console& console) {
    const GenerationOptions run = simulation_run(options.run, options.cases, options.is_forced);
    GenerationConsole observer(console, options.is_verbose);
    return observer.end(simulate(Dataset(options.cases), options.simulator, run, observer), run.output);
}

}  // namespace

Command make_simulate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("simulate", "Simulate the cases of a data set with OPM Flow");
    const auto options = std::make_shared<SimulateOptions>();
    app->add_option("input", options->cases,
                    "Cases on a radial grid, a box or a corner-point grid; what they have of outputs is not read")
        ->required()
        ->type_name("CASES.h5");
    app->add_option("-o,--output", options->run.output, "Data set file; appears when all cases are finished")
        ->required()
        ->type_name("DATA.h5");
    app->add_option("--jobs", options->run.jobs, "Simulators at work at once, one thread each")
        ->check(between(1, 4096))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--simulator", options->simulator.program, "Program of OPM Flow, looked up on PATH")
        ->type_name("FLOW")
        ->capture_default_str();
    app->add_flag("--resume", options->run.resume, "Continue a run that was stopped or killed");
    app->get_option("--resume")->excludes(add_force(*app, options->is_forced));
    app->add_option("--keep-decks", options->run.keep_decks, "Keep decks and simulator output in this folder")
        ->type_name("FOLDER");
    app->add_flag("--verbose", options->is_verbose, "Name every rejected case with the reason");
    add_examples(*app,
                 "  plumecast simulate cases.h5 -o truth.h5 --jobs 8\n"
                 "  plumecast subset posterior/posterior.h5 -o members.h5 --cases 0-9\n"
                 "  plumecast simulate members.h5 -o simulated.h5 --simulator /opt/opm/bin/flow\n\n"
                 "Cases that the simulator fails on, or that do not keep the mass of CO2, are left out; /case/number\n"
                 "says which case of CASES.h5 each is. Corner-point grids need their corners in the file, a\n"
                 "temperature gradient takes OPM Flow 2024.10 or newer.");
    return {app, [options](Console& console) { return simulate_cases(*options, console); }};
}

}  // namespace plumecast::app
