#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "case_report.hpp"
#include "command.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct SplitCommand {
    SplitOptions options;
    std::vector<std::string> parts = {"train=0.8", "validation=0.1", "test=0.1"};
    bool is_forced = false;
};

SplitPart part_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    SplitPart part{text.substr(0, equals), 0.0};
    const char* begin = equals == std::string::npos ? nullptr : text.data() + equals + 1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = begin == nullptr ? std::from_chars_result{end, std::errc::invalid_argument}
                                                : std::from_chars(begin, end, part.share);
    if (error != std::errc() || stop != end) {
        throw InvalidInput("part " + text +
                           ": no NAME=SHARE (shares of all parts add up to 1); write for example train=0.8");
    }
    return part;
}

ExitCode split(const SplitCommand& command, Console& console) {
    SplitOptions options = command.options;
    for (const std::string& text : command.parts) {
        options.parts.push_back(part_of(text));
    }
    for (const std::string& file : split_files(options)) {
        require_output_place({file,
                              OutputKind::data_set,
                              {options.source},
                              command.is_forced,
                              "choose another folder with -o, or replace it with --force"});
    }
    const Interrupts interrupts;
    options.progress = case_progress(console, interrupts);
    return print_report(split_dataset(options), console);
}

}  // namespace

Command make_split(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("split", "Divide a data set into training, validation and test sets");
    const auto command = std::make_shared<SplitCommand>();
    SplitOptions& options = command->options;
    app->add_option("data", options.source, "Data set to divide")->required()->type_name("DATA.h5");
    app->add_option("-o,--output", options.folder, "Folder for NAME.h5 of each part")->required()->type_name("FOLDER");
    app->add_option("--parts", command->parts, "Names and shares, between commas")
        ->delimiter(',')
        ->type_name("NAME=SHARE,...")
        ->capture_default_str();
    app->add_option("--seed", options.seed, "Another number gives another division")
        ->type_name("N")
        ->capture_default_str();
    app->add_flag("--exact", options.is_exact,
                  "Parts of exactly these shares; cases then move when the data set grows");
    add_force(*app, command->is_forced);
    add_examples(*app,
                 "  plumecast split data.h5 -o parts\n"
                 "  plumecast split data.h5 -o parts --parts train=0.9,validation=0.1 --exact\n\n"
                 "A case goes where the hash of its inputs says: always to the same part, with its duplicates.");
    return {app, [command](Console& console) { return split(*command, console); }};
}

}  // namespace plumecast::app
