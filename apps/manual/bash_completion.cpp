#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/completion.hpp"

namespace plumecast::app {
namespace {

/// The subcommand that a usage is of, without the program: "bench predict".
std::string path_of(const Usage& usage, const std::string& program) {
    return usage.name == program ? "" : usage.name.substr(program.size() + 1);
}

/// What follows a subcommand: its options, and its own subcommands.
std::string words_case(const Usage& usage, const std::string& program) {
    std::vector<std::string> options, subcommands;
    for (const Argument& argument : usage.arguments) {
        if (!argument.is_positional) {
            options.insert(options.end(), argument.names.begin(), argument.names.end());
        }
    }
    for (const Usage& subcommand : usage.subcommands) {
        subcommands.push_back(subcommand.name.substr(usage.name.size() + 1));
    }
    return fmt::format("        \"{}\") options=\"{}\" subcommands=\"{}\" ;;\n", path_of(usage, program),
                       fmt::join(options, " "), fmt::join(subcommands, " "));
}

/// What follows the options that take a value: one of a few, or a file.
std::string value_cases(const Usage& usage, const std::string& program) {
    std::string text;
    for (const Argument& argument : usage.arguments) {
        if (argument.is_positional || argument.value.empty()) {
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& name : argument.names) {
            patterns.push_back(fmt::format("\"{} {}\"", path_of(usage, program), name));
        }
        text += fmt::format("        {}) values=\"{}\" ;;\n", fmt::join(patterns, " | "),
                            argument.choices.empty() ? "FILES" : fmt::format("{}", fmt::join(argument.choices, " ")));
    }
    return text;
}

template <class Text>
std::string of_all(const Usage& usage, const std::string& program, const Text& text) {
    std::string all = text(usage, program);
    for (const Usage& subcommand : usage.subcommands) {
        all += of_all(subcommand, program, text);
    }
    return all;
}

}  // namespace

std::string bash_completion(const Usage& usage) {
    const std::string paths = of_all(usage, usage.name, [](const Usage& one, const std::string& program) {
        return one.name == program ? "" : fmt::format("            \"{}\") path=\"$next\" ;;\n", path_of(one, program));
    });
    return fmt::format(R"(# bash completion for {0}
_{0}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local path="" next="" options="" subcommands="" values="" i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        next=${{path:+$path }}${{COMP_WORDS[i]}}
        case "$next" in
{1}        esac
    done
    case "$path" in
{2}    esac
    case "$path $before" in
{3}    esac
    if [ "$values" = FILES ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    elif [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [ -n "$subcommands" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _{0} {0}
)",
                       usage.name, paths, of_all(usage, usage.name, words_case),
                       of_all(usage, usage.name, value_cases));
}

}  // namespace plumecast::app
