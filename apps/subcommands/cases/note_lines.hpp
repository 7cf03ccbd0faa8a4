#pragma once

#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>

#include "console.hpp"

namespace plumecast::app {

/// A line for each of the first ten notes, and one with the number of the others.
std::vector<std::string> first_lines(const std::vector<DataNote>& notes);

/// A warning for each of the first ten notes, and the number of the others.
void warn_of_notes(const std::vector<DataNote>& notes, Console& console);

/// The notes as a list of objects: `text` and `cases`.
Json notes_json(const std::vector<DataNote>& notes);

}  // namespace plumecast::app
