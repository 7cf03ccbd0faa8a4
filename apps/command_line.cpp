#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "arguments/number_checks.hpp"
#include "command.hpp"

namespace plumecast::app {

void add_threads(CLI::App& app, int& threads) {
    app.add_option("--threads", threads,
                   "Threads to compute with; 0 takes all this process may use, which is also the most")
        ->check(not_negative())
        ->type_name("N")
        ->capture_default_str();
}

void add_batch(CLI::App& app, std::int64_t& batch) {
    app.add_option_function<std::string>(
           "--batch", [&batch](const std::string& text) { batch = text == "auto" ? 0 : std::stoll(text); },
           "Cases computed at once; more take more memory; auto takes as many as fit, up to 16, on a processor at most "
           "one for each thread")
        ->check([](const std::string& text) {
            const bool counts = !text.empty() && text.size() < 10 && text.front() != '0' &&
                                std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            return counts || text == "auto" ? std::string() : text + " is neither a number from 1 nor auto";
        })
        ->type_name("N|auto")
        ->default_str(batch == 0 ? "auto" : std::to_string(batch));
}

void add_examples(CLI::App& app, const std::string& examples) {
    app.footer("Examples:\n" + examples + "\n\n" + exit_code_help());
}

namespace {

std::vector<Command> make_commands(CLI::App& app) {
    return {
        make_train(app),    make_predict(app),        make_estimate(app), make_optimize(app),  make_invert(app),
        make_serve(app),    make_evaluate(app),       make_plot(app),     make_curve(app),     make_report(app),
        make_export(app),   make_info(app),           make_validate(app), make_config(app),    make_generate(app),
        make_simulate(app), make_import(app),         make_split(app),    make_merge(app),     make_subset(app),
        make_stats(app),    make_import_weights(app), make_combine(app),  make_calibrate(app), make_export_onnx(app),
        make_explain(app),  make_quantities(app),     make_bench(app),    make_version(app)};
}

}  // namespace

CommandLine::CommandLine()
    : app("Predicts where injected CO2 goes: trains and runs neural operators for CO2 storage.", "plumecast") {
    app.require_subcommand(1);
    app.get_formatter()->column_width(36);
    app.set_version_flag("--version", version_text, "Print version and build features");
    commands = make_commands(app);
    app.footer("'plumecast SUBCOMMAND --help' explains a subcommand with examples.\n\n" +
               std::string(exit_code_help()));
}

}  // namespace plumecast::app
