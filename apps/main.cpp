#include <signal.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "arguments/number_checks.hpp"
#include "arguments/usage_problem.hpp"
#include "command.hpp"
#include "error_message.hpp"

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
           "Cases computed at once; more take more memory; auto takes as many as fit, up to 16")
        ->check([](const std::string& text) {
            const bool counts = !text.empty() && text.size() < 10 && text.front() != '0' &&
                                std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            return counts || text == "auto" ? std::string() : text + " is neither a number from 1 nor auto";
        })
        ->type_name("N|auto")
        ->default_str(std::to_string(batch));
}

void add_examples(CLI::App& app, const std::string& examples) {
    app.footer("Examples:\n" + examples + "\n\n" + exit_code_help());
}

namespace {

std::vector<Command> make_commands(CLI::App& app) {
    return {make_train(app),       make_predict(app),        make_estimate(app), make_evaluate(app),
            make_plot(app),        make_curve(app),          make_report(app),   make_export(app),
            make_info(app),        make_validate(app),       make_config(app),   make_generate(app),
            make_import(app),      make_split(app),          make_merge(app),    make_subset(app),
            make_stats(app),       make_import_weights(app), make_combine(app),  make_calibrate(app),
            make_export_onnx(app), make_explain(app),        make_bench(app),    make_version(app)};
}

int run(int argc, char** argv, Console& console) {
    CLI::App app("Predicts where injected CO2 goes: trains and runs neural operators for CO2 storage.", "plumecast");
    app.require_subcommand(1);
    app.get_formatter()->column_width(36);
    app.set_version_flag("--version", version_text, "Print version and build features");
    const std::vector<Command> commands = make_commands(app);
    app.footer("'plumecast SUBCOMMAND --help' explains a subcommand with examples.\n\n" +
               std::string(exit_code_help()));
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // help or version was asked for
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        console.error(usage_problem(error, commands, argc, argv));
        return exit_usage;
    }
    const auto chosen = std::ranges::find_if(commands, [](const Command& command) { return command.app->parsed(); });
    return chosen->run(console);
}

}  // namespace
}  // namespace plumecast::app

int main(int argc, char** argv) {
    // A file above the size limit then fails like a full disk, with a message, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN);
    plumecast::app::Console console;
    try {
        return plumecast::app::run(argc, argv, console);
    } catch (const std::bad_alloc&) {
        console.error("out of memory (the system gave no more); use a smaller --batch or a machine with more memory");
        return plumecast::app::exit_system;
    } catch (const std::exception& error) {
        console.error(plumecast::app::error_message(error));
        return plumecast::app::exit_code_of(error);
    }
}
