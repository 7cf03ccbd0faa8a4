#pragma once

#include <string>

#include "reservoir/generation/generator.hpp"

namespace plumecast {

/// Draws the cases that generate() would simulate and writes their inputs alone, as a data set that appears whole or
/// not at all: realizations of a prior. A case that only the simulator would reject is among them. Throws InvalidInput
/// when too many cases are rejected, IoError.
GenerationReport draw_inputs(const GeneratorConfiguration& configuration, const std::string& output,
                             GenerationObserver& observer);

}  // namespace plumecast
