#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

/// Inputs that keep to the format and yet describe no reservoir that CO2 is injected into: a temperature that looks
/// like kelvin and a thickness beyond the grid are warnings, CO2 injected where no active cell is perforated and rows
/// that go up are errors. Each is named once, with the first case and the number of the others. Throws InvalidData for
/// a damaged file.
std::vector<Violation> implausible_inputs(const Dataset& dataset);

}  // namespace plumecast
