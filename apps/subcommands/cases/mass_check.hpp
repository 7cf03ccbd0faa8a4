#pragma once

#include <string>

#include "console.hpp"

namespace plumecast::app {

/// Warns of cases of a data set in which more free CO2 is in place than was injected until then: a rate, a density or a
/// unit is wrong there.
void warn_of_surplus(const std::string& path, Console& console);

}  // namespace plumecast::app
