#pragma once

#include <string>

#include "manual/arguments.hpp"

namespace plumecast::app {

/// What bash sources to complete the arguments of a program.
std::string bash_completion(const Usage& usage);
/// The same for zsh, as a function file with `#compdef`.
std::string zsh_completion(const Usage& usage);

}  // namespace plumecast::app
