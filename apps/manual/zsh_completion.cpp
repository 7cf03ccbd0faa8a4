#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/completion.hpp"

namespace plumecast::app {
namespace {

/// Text between single quotes, in a place where zsh reads colons and brackets.
std::string quoted(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\'') {
            result += "'\\''";
        } else if (c == ':' || c == '[' || c == ']' || c == '\\') {
            result += std::string("\\") + c;
        } else {
            result += c;
        }
    }
    return result;
}

/// One name of an option, with its description and what follows.
std::string option_text(const Argument& argument, const std::string& name) {
    std::string text = fmt::format("'*{}[{}]", name, quoted(argument.description));
    if (!argument.choices.empty()) {
        text += fmt::format(":{}:({})", quoted(argument.value), fmt::join(argument.choices, " "));
    } else if (!argument.value.empty()) {
        text += fmt::format(":{}:_files", quoted(argument.value));
    }
    return text + "'";
}

std::string function_of(const std::string& name) {
    std::string function = "_" + name;
    std::ranges::replace(function, ' ', '_');
    std::ranges::replace(function, '-', '_');
    return function;
}

/// A function for a program or subcommand, after those of its own subcommands.
std::string function_text(const Usage& usage) {
    std::string text, options;
    for (const Argument& argument : usage.arguments) {
        for (const std::string& name : argument.names) {
            options += argument.is_positional ? "" : " \\\n        " + option_text(argument, name);
        }
    }
    if (usage.subcommands.empty()) {
        return fmt::format("{}() {{\n    _arguments{} \\\n        '*:file:_files'\n}}\n", function_of(usage.name),
                           options);
    }
    std::string names, cases;
    for (const Usage& subcommand : usage.subcommands) {
        const std::string name = subcommand.name.substr(usage.name.size() + 1);
        text += function_text(subcommand);
        names += fmt::format("                '{}:{}'\n", name, quoted(subcommand.description));
        cases += fmt::format("                {}) {} ;;\n", name, function_of(subcommand.name));
    }
    return text + fmt::format(R"({0}() {{
    local curcontext="$curcontext" state line
    _arguments -C{1} \
        '1: :->subcommand' '*:: :->arguments'
    case $state in
        subcommand)
            local -a names=(
{2}            )
            _describe subcommand names
            ;;
        arguments)
            case $words[1] in
{3}            esac
            ;;
    esac
}}
)",
                              function_of(usage.name), options, names, cases);
}

}  // namespace

std::string zsh_completion(const Usage& usage) {
    return fmt::format("#compdef {}\n{}{} \"$@\"\n", usage.name, function_text(usage), function_of(usage.name));
}

}  // namespace plumecast::app
