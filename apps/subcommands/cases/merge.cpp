#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "case_report.hpp"
#include "command.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct MergeCommand {
    MergeOptions options;
    std::string duplicates = "refuse";
    bool is_forced = false;
};

ExitCode merge(const MergeCommand& command, Console& console) {
    MergeOptions options = command.options;
    require_output_place({options.output, OutputKind::data_set, options.sources, command.is_forced});
    options.duplicates = command.duplicates == "drop"   ? Duplicates::drop
                         : command.duplicates == "keep" ? Duplicates::keep
                                                        : Duplicates::refuse;
    const Interrupts interrupts;
    options.progress = case_progress(console, interrupts);
    return print_report(merge_datasets(options), console);
}

}  // namespace

Command make_merge(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("merge", "Join data sets of one grid and the same times");
    const auto command = std::make_shared<MergeCommand>();
    MergeOptions& options = command->options;
    app->add_option("data", options.sources, "Data sets, in the order of their cases in the new file")
        ->required()
        ->type_name("DATA.h5");
    app->add_option("-o,--output", options.output, "New data set; appears when it is complete, or not at all")
        ->required()
        ->type_name("OUT.h5");
    app->add_option("--duplicates", command->duplicates,
                    "What to do with a case that is there already: refuse, drop or keep")
        ->check(CLI::IsMember({"refuse", "drop", "keep"}))
        ->type_name("WHAT")
        ->capture_default_str();
    app->add_option("--title", options.title, "Title of the new file; default: that of the first")->type_name("TEXT");
    add_force(*app, command->is_forced);
    add_examples(*app,
                 "  plumecast merge first.h5 second.h5 -o all.h5\n"
                 "  plumecast merge runs/*.h5 -o all.h5 --duplicates drop --title \"All runs\"\n\n"
                 "Two cases are the same when all their inputs are.");
    return {app, [command](Console& console) { return merge(*command, console); }};
}

}  // namespace plumecast::app
