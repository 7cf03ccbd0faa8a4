#pragma once

#include <string>
#include <vector>

#include "field_sections.hpp"

namespace plumecast::app {

/// Draws fields and inputs of generic data with one axis as lines, one chart below the other: each snapshot a colour,
/// what is compared dashed. Throws InvalidInput for what a file lacks, IoError.
void draw_lines(const SectionSource& source, const std::vector<std::string>& names, const std::string& title,
                const std::string& output);

}  // namespace plumecast::app
