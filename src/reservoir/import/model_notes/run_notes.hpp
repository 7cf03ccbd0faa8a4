#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/grid.hpp"

namespace plumecast {

/// What a data set holds of a run.
struct HeldOfRun {
    bool is_radial = false;   ///< its grid as rings, of which transmissibilities that a deck states are the geometry
    bool has_tables = false;  ///< saturation tables of the regions
    bool has_flow = false;    ///< transmissibilities, which hold what faults and multipliers do to them
};

/// What a run holds that a data set cannot carry, one line per kind: as its INIT and grid files tell, and its deck
/// where RUN.DATA lies beside them. What the data set holds of it is not noted, but faults and multipliers, which
/// networks do not see. Throws InvalidData, IoError.
std::vector<std::string> run_notes(const eclipse::CaseFiles& files, const eclipse::CornerPointGrid& grid,
                                   const HeldOfRun& held);

/// Salinity of the brine [kg NaCl per kg] that the deck of a run states, where it lies beside it. Throws IoError.
std::optional<double> run_salinity(const eclipse::CaseFiles& files);

/// Whether the deck of a run, where it lies beside it, has CO2STORE, by which the oil of a run is its brine. Throws
/// IoError.
bool is_brine_oil(const eclipse::CaseFiles& files);

/// The ratio of dissolved gas that the deck of a run, where it lies beside it, has the simulator compute: RS (DISGAS)
/// or RSW (DISGASW), else empty. Throws IoError.
std::string run_dissolved_ratio(const eclipse::CaseFiles& files);

/// What the deck of a run states in its units, where it lies beside it: compressibility of the rock, temperatures
/// behind their depths, and limits of the pressure in injectors. Throws IoError.
std::optional<double> run_rock_compressibility(const eclipse::CaseFiles& files);
std::vector<double> run_temperatures(const eclipse::CaseFiles& files);
std::vector<double> run_pressure_limits(const eclipse::CaseFiles& files);

}  // namespace plumecast
