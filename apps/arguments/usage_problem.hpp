#pragma once

#include <string>
#include <vector>

#include <CLI/Error.hpp>

#include "command.hpp"

namespace plumecast::app {

/// What is wrong with a command line and what to do, as one line: the nearest subcommand for an unknown one, the
/// nearest option for an unknown one.
std::string usage_problem(const CLI::ParseError& error, const std::vector<Command>& commands, int argc, char** argv);

}  // namespace plumecast::app
