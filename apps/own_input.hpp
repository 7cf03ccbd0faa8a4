#pragma once

#include <string>

namespace plumecast::app {

/// Throws InvalidInput when a result would take the place of the file that it is made from, also by another path or
/// link.
void refuse_own_input(const std::string& input, const std::string& output);

}  // namespace plumecast::app
