#pragma once

#include <exception>
#include <string>

namespace plumecast::app {

/// What the console says of an exception: problem, why it is one, and what to do, also for what the standard library
/// says of files.
std::string error_message(const std::exception& error);

}  // namespace plumecast::app
