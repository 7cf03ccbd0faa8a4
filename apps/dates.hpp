#pragma once

#include <chrono>
#include <string>

namespace plumecast::app {

/// Date of "2030-01-31". Throws InvalidInput for anything else.
std::chrono::sys_days date_of(const std::string& text);

}  // namespace plumecast::app
