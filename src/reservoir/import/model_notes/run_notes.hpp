#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/grid.hpp"

namespace plumecast {

/// What a run holds that a data set cannot carry, one line per kind: as its INIT and grid files tell, and its deck
/// where RUN.DATA lies beside them. Transmissibilities that a deck states for a grid of rings are those of its
/// geometry, and are not noted; nor is SATNUM where the data set `has_tables` of the regions. Throws InvalidData,
/// IoError.
std::vector<std::string> run_notes(const eclipse::CaseFiles& files, const eclipse::CornerPointGrid& grid,
                                   bool is_radial, bool has_tables);

/// Salinity of the brine [kg NaCl per kg] that the deck of a run states, where it lies beside it. Throws IoError.
std::optional<double> run_salinity(const eclipse::CaseFiles& files);

/// What the deck of a run states in its units, where it lies beside it: compressibility of the rock, and temperatures
/// behind their depths. Throws IoError.
std::optional<double> run_rock_compressibility(const eclipse::CaseFiles& files);
std::vector<double> run_temperatures(const eclipse::CaseFiles& files);

}  // namespace plumecast
