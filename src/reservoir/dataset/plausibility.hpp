#pragma once

#include <span>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

/// Inputs that keep to the format and yet describe no reservoir that CO2 is injected into: a temperature that looks
/// like kelvin, a thickness beyond the grid, a cylinder around a well without a radius and a limit of the pressure in
/// the well below that of the formation are warnings, CO2 injected where no active cell is perforated, rows
/// that go up and depths below the surface in the place of those below the top are errors. Each is named once, with the
/// first case and the number of the others. Throws InvalidData for a damaged file.
std::vector<Violation> implausible_inputs(const Dataset& dataset);

/// Whether edges [Z+1] are depths below the surface [m] and not below the top of the formation: the first one lies
/// deeper than all rows are high.
bool count_from_surface(std::span<const double> z_edges);

}  // namespace plumecast
