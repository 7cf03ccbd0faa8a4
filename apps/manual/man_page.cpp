#include "manual/man_page.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumecast::app {
namespace {

/// Text that troff shows as it is.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
    }
    const bool is_request = result.starts_with('.') || result.starts_with('\'');
    return is_request ? "\\&" + result : result;
}

std::string synopsis(const Usage& usage) {
    std::string text = fmt::format("\\fB{}\\fR [\\fIoptions\\fR]", plain(usage.name));
    for (const Argument& argument : usage.arguments) {
        if (argument.is_positional) {
            const std::string name = "\\fI" + plain(argument.names.front()) + "\\fR";
            text += argument.is_required ? " " + name : " [" + name + "]";
        }
    }
    return text + (usage.subcommands.empty() ? "" : " \\fIsubcommand\\fR");
}

std::string argument_text(const Argument& argument) {
    std::vector<std::string> names;
    for (const std::string& name : argument.names) {
        names.push_back((argument.is_positional ? "\\fI" : "\\fB") + plain(name) + "\\fR");
    }
    std::string text = ".TP\n" + fmt::format("{}", fmt::join(names, ", "));
    if (!argument.value.empty()) {
        text += " " + plain(argument.value);
    }
    text += "\n" + plain(argument.description) + ".\n";
    if (!argument.choices.empty()) {
        text += plain(fmt::format("One of {}.", fmt::join(argument.choices, ", "))) + "\n";
    }
    if (argument.is_required) {
        text += "Required.\n";
    } else if (!argument.standard.empty()) {
        text += plain(fmt::format("Default: {}.", argument.standard)) + "\n";
    }
    return text;
}

std::string arguments_text(const Usage& usage, bool positional) {
    std::string text;
    for (const Argument& argument : usage.arguments) {
        text += argument.is_positional == positional ? argument_text(argument) : "";
    }
    return text;
}

/// The end of a help text: examples as they stand, and what else there is.
std::string footer_text(const Usage& usage) {
    std::string text = ".SH NOTES\n.nf\n";
    std::istringstream lines(usage.footer);
    for (std::string line; std::getline(lines, line);) {
        text += plain(line) + "\n";
    }
    return text + ".fi\n";
}

}  // namespace

std::string page_name(const Usage& usage) {
    std::string name = usage.name;
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string man_page(const Usage& usage, const std::string& version) {
    std::string text = fmt::format(
        ".TH {} 1 \"\" \"plumecast {}\" \"Plumecast\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
        plain(page_name(usage)), plain(version), plain(page_name(usage)), plain(usage.description), synopsis(usage));
    if (const std::string positional = arguments_text(usage, true); !positional.empty()) {
        text += ".SH ARGUMENTS\n" + positional;
    }
    text += ".SH OPTIONS\n" + arguments_text(usage, false);
    if (!usage.subcommands.empty()) {
        text += ".SH SUBCOMMANDS\n";
    }
    for (const Usage& subcommand : usage.subcommands) {
        text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", plain(subcommand.name.substr(usage.name.size() + 1)),
                            plain(subcommand.description));
    }
    return text + (usage.footer.empty() ? "" : footer_text(usage));
}

}  // namespace plumecast::app
