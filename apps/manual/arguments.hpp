#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace plumecast::app {

/// An argument of a subcommand, as its help text shows it.
struct Argument {
    std::vector<std::string> names;    ///< "-o", "--output"; of a positional argument, its one name
    std::string value;                 ///< what follows: "OUT.h5", "N|auto"; empty for a flag
    std::vector<std::string> choices;  ///< the values there are, where they are few
    std::string standard;              ///< the default; empty where there is none
    std::string description;
    bool is_positional = false;
    bool is_required = false;
};

/// A program, subcommand, or subcommand of one.
struct Usage {
    std::string name;  ///< as typed: "plumecast", "plumecast bench predict"
    std::string description;
    std::string footer;  ///< examples, remarks and exit codes
    std::vector<Argument> arguments;
    std::vector<Usage> subcommands;
};

/// What an application takes; arguments that its help text hides are left out.
Usage usage_of(const CLI::App& app, const std::string& name);

}  // namespace plumecast::app
