#pragma once

#include <string>

#include "manual/arguments.hpp"

namespace plumecast::app {

/// A page of section 1 of the manual, for `man`.
std::string man_page(const Usage& usage, const std::string& version);

}  // namespace plumecast::app
