#pragma once

#include <exception>
#include <string>

namespace plumecast::app {

/// What the console says of an exception: problem, why it is one, and what to do, also for what the standard library
/// says of files.
std::string error_message(const std::exception& error);

/// What the console says of a message of the library: options by their names on the command line.
std::string in_command_line_words(const std::string& message);

}  // namespace plumecast::app
