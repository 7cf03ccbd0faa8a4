#pragma once

#include <string>

#include "manual/arguments.hpp"

namespace plumecast::app {

/// What a page is called: "plumecast-bench-predict".
std::string page_name(const Usage& usage);
/// A page of section 1 of the manual, for `man`.
std::string man_page(const Usage& usage, const std::string& version);

}  // namespace plumecast::app
