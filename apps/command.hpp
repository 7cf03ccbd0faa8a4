#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "console.hpp"
#include "exit_code.hpp"

namespace plumecast::app {

/// One subcommand of the command line.
struct Command {
    CLI::App* app = nullptr;                ///< its options; parsed() tells whether it was chosen
    std::function<ExitCode(Console&)> run;  ///< does the work; throws what the library throws
};

/// Each adds its subcommand to the command line.
Command make_train(CLI::App& parent);
Command make_predict(CLI::App& parent);
Command make_estimate(CLI::App& parent);
Command make_serve(CLI::App& parent);
Command make_optimize(CLI::App& parent);
Command make_bench(CLI::App& parent);
Command make_evaluate(CLI::App& parent);
Command make_plot(CLI::App& parent);
Command make_curve(CLI::App& parent);
Command make_info(CLI::App& parent);
Command make_validate(CLI::App& parent);
Command make_config(CLI::App& parent);
Command make_generate(CLI::App& parent);
Command make_import(CLI::App& parent);
Command make_simulate(CLI::App& parent);
Command make_split(CLI::App& parent);
Command make_merge(CLI::App& parent);
Command make_subset(CLI::App& parent);
Command make_stats(CLI::App& parent);
Command make_quantities(CLI::App& parent);
Command make_export(CLI::App& parent);
Command make_report(CLI::App& parent);
Command make_import_weights(CLI::App& parent);
Command make_combine(CLI::App& parent);
Command make_calibrate(CLI::App& parent);
Command make_export_onnx(CLI::App& parent);
Command make_explain(CLI::App& parent);
Command make_invert(CLI::App& parent);
Command make_version(CLI::App& parent);

/// Version of the program and what it was built with.
std::string version_text();

/// Adds `--threads N`, shared by all subcommands that compute.
void add_threads(CLI::App& app, int& threads);
/// Adds `--batch N|auto`, cases computed at once; 0 for auto.
void add_batch(CLI::App& app, std::int64_t& batch);
/// Keeps a former spelling of an option for one version, out of the help text.
template <class T>
CLI::Option* add_former_name(CLI::App& app, const std::string& name, T& value) {
    return app.add_option(name, value)->group("");
}
/// Ends the help text of a subcommand with examples and the exit codes.
void add_examples(CLI::App& app, const std::string& examples);

/// Everything that `plumecast` takes: its options, its subcommands, and what each does.
class CommandLine {
   public:
    CommandLine();

    CLI::App app;
    std::vector<Command> commands;  ///< their `app` belong to this one
};

}  // namespace plumecast::app
