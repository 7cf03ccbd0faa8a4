#include "arguments/usage_problem.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/json.hpp>

namespace plumecast::app {
namespace {

constexpr std::size_t longest_argument = 60;

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional()) {
            for (const std::string& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
    }
    return names;
}

std::string help_of(const CLI::App& app) { return fmt::format("run 'plumecast {} --help'", app.get_name()); }

/// About the first argument that a subcommand does not take; empty when it takes all.
std::string unknown_argument(const CLI::App& app, const std::string& subcommand, const std::vector<std::string>& left) {
    const auto option = std::ranges::find_if(left, [](const std::string& text) { return text.starts_with('-'); });
    if (option == left.end()) {
        return left.empty() ? ""
                            : fmt::format("'{}' is one argument too many (see what the subcommand takes); {}",
                                          left.back().substr(0, longest_argument), help_of(app));
    }
    const std::string name = option->substr(0, option->find('='));
    const std::string meant = nearest(name, option_names(app));
    return fmt::format("unknown option '{}' ({} has none of that name); {}", name.substr(0, longest_argument),
                       subcommand, meant.empty() ? help_of(app) : "did you mean '" + meant + "'?");
}

std::string unknown_subcommand(const std::string& subcommand, const std::vector<Command>& commands) {
    std::vector<std::string> subcommands;
    std::ranges::transform(commands, std::back_inserter(subcommands),
                           [](const Command& c) { return c.app->get_name(); });
    const std::string meant = nearest(subcommand, subcommands);
    return fmt::format("unknown subcommand '{}' (subcommands: {}); {}", subcommand, fmt::join(subcommands, ", "),
                       meant.empty() ? "run 'plumecast --help'" : "did you mean '" + meant + "'?");
}

}  // namespace

std::string usage_problem(const CLI::ParseError& error, const std::vector<Command>& commands, int argc, char** argv) {
    const auto chosen = std::ranges::find_if(commands, [](const Command& command) { return command.app->parsed(); });
    if (chosen != commands.end()) {
        const CLI::App& subcommand = *chosen->app;
        const CLI::App* deepest = &subcommand;  // 'bench predict' is a subcommand of a subcommand
        for (auto inner = deepest->get_subcommands(); !inner.empty(); inner = deepest->get_subcommands()) {
            deepest = inner.front();
        }
        const std::string unknown = unknown_argument(*deepest, subcommand.get_name(), subcommand.remaining(true));
        const std::string problem = error.what();
        const std::size_t begin = problem.starts_with(": ") ? 2 : 0;  // CLI11 leaves out the name of a hidden option
        return unknown.empty()
                   ? fmt::format("{} (see what the subcommand takes); {}", problem.substr(begin), help_of(subcommand))
                   : unknown;
    }
    if (argc > 1 && argv[1][0] != '-') {
        return unknown_subcommand(argv[1], commands);
    }
    if (argc > 1) {
        return fmt::format("unknown option '{}' (a subcommand comes first); run 'plumecast --help'",
                           std::string(argv[1]).substr(0, longest_argument));
    }
    return fmt::format("{} (a subcommand says what to do); run 'plumecast --help'", error.what());
}

}  // namespace plumecast::app
