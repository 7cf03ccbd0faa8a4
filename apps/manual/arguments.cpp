#include "manual/arguments.hpp"

#include <algorithm>

namespace plumecast::app {
namespace {

/// "a", "b" of "NAME:{a,b}", which is how a list of values shows in the type of an option.
std::vector<std::string> choices_in(const std::string& type) {
    std::vector<std::string> choices;
    const std::size_t begin = type.find(":{"), end = type.rfind('}');
    if (begin == std::string::npos || end == std::string::npos) {
        return choices;
    }
    std::string choice;
    for (const char c : type.substr(begin + 2, end - begin - 2) + ",") {
        if (c == ',') {
            choices.push_back(choice);
            choice.clear();
        } else {
            choice += c;
        }
    }
    return choices;
}

Argument argument_of(const CLI::Option& option) {
    Argument argument;
    argument.is_positional = option.get_positional();
    argument.is_required = option.get_required();
    argument.description = option.get_description();
    argument.standard = option.get_default_str();
    for (const std::string& name : option.get_snames()) {
        argument.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        argument.names.push_back("--" + name);
    }
    if (argument.is_positional) {
        argument.names = {option.get_name(true)};
    }
    if (option.get_items_expected_max() > 0) {
        const std::string type = option.get_type_name();
        argument.choices = choices_in(type);
        argument.value = type.substr(0, type.find(":{"));
    }
    return argument;
}

}  // namespace

Usage usage_of(const CLI::App& app, const std::string& name) {
    Usage usage{name, app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) {  // one without a group is hidden
            usage.arguments.push_back(argument_of(*option));
        }
    }
    for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
        usage.subcommands.push_back(usage_of(*subcommand, name + " " + subcommand->get_name()));
    }
    return usage;
}

}  // namespace plumecast::app
