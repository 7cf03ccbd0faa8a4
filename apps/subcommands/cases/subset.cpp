#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "arguments/number_checks.hpp"
#include "case_report.hpp"
#include "command.hpp"
#include "outputs.hpp"

namespace plumecast::app {
namespace {

struct SubsetCommand {
    SubsetOptions options;
    std::vector<std::string> cases;
    std::vector<std::string> where;
    std::int64_t random = 0;
    bool is_forced = false;
};

/// Reads a whole text as a number; false when it is none.
template <class Number>
bool read_number(std::string_view text, Number& value) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && stop == text.data() + text.size() && !text.empty();
}

std::pair<std::int64_t, std::int64_t> range_of(const std::string& text) {
    const std::size_t dash = text.find('-');
    std::pair<std::int64_t, std::int64_t> range;
    const bool is_range =
        read_number(std::string_view(text).substr(0, dash), range.first) &&
        read_number(std::string_view(text).substr(dash == std::string::npos ? 0 : dash + 1), range.second);
    if (!is_range) {
        throw InvalidInput("--cases " + text +
                           ": no case and no range of cases (counted from 0); write for example 0-9,15");
    }
    return range;
}

ScalarCondition condition_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.find(':', equals == std::string::npos ? 0 : equals);
    ScalarCondition condition{text.substr(0, equals), 0.0, 0.0};
    const bool is_complete =
        equals != std::string::npos && colon != std::string::npos &&
        read_number(std::string_view(text).substr(equals + 1, colon - equals - 1), condition.low) &&
        read_number(std::string_view(text).substr(colon + 1), condition.high);
    if (!is_complete) {
        throw InvalidInput("--where " + text +
                           ": no NAME=LOW:HIGH (both ends are needed); write for example "
                           "--where injection_rate=0.5:1.5");
    }
    return condition;
}

ExitCode subset(const SubsetCommand& command, Console& console) {
    SubsetOptions options = command.options;
    require_output_place({options.output, OutputKind::data_set, {options.source}, command.is_forced});
    for (const std::string& text : command.cases) {
        options.cases.push_back(range_of(text));
    }
    for (const std::string& text : command.where) {
        options.where.push_back(condition_of(text));
    }
    if (command.random > 0) {
        options.random = command.random;
    }
    const Interrupts interrupts;
    options.progress = case_progress(console, interrupts);
    return print_report(subset_dataset(options), console);
}

}  // namespace

Command make_subset(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("subset", "Copy some cases of a data set");
    const auto command = std::make_shared<SubsetCommand>();
    SubsetOptions& options = command->options;
    app->add_option("data", options.source, "Data set")->required()->type_name("DATA.h5");
    app->add_option("-o,--output", options.output, "New data set; appears when it is complete, or not at all")
        ->required()
        ->type_name("OUT.h5");
    app->add_option("--cases", command->cases, "Cases and ranges of cases, counted from 0")
        ->delimiter(',')
        ->type_name("A,B-C,...");
    app->add_option("--where", command->where,
                    "Cases whose scalar input, or trust (0 good, 1 doubtful, 2 bad), lies in a range; may be repeated")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false)
        ->type_name("NAME=LOW:HIGH");
    app->add_option("--random", command->random, "Of those, so many at random")->check(above_zero())->type_name("N");
    app->add_option("--seed", options.seed, "Another number gives others")->type_name("N")->capture_default_str();
    app->add_flag("--without-outputs", options.without_outputs, "Leave the simulated fields out");
    add_force(*app, command->is_forced);
    add_examples(*app,
                 "  plumecast subset data.h5 -o few.h5 --cases 0-9,15\n"
                 "  plumecast subset data.h5 -o strong.h5 --where injection_rate=1:2 --random 100 --seed 3\n"
                 "  plumecast subset fields.h5 -o good.h5 --where trust=0:0\n"
                 "  plumecast subset data.h5 -o inputs.h5 --without-outputs");
    return {app, [command](Console& console) { return subset(*command, console); }};
}

}  // namespace plumecast::app
