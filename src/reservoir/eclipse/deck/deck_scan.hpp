#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/deck/left_out.hpp"

namespace plumecast::eclipse {

/// What the deck of a run tells.
struct ScannedDeck {
    LeftOut left_out;
    std::optional<double> molality = {};              ///< of NaCl in the water, as SALINITY states it [mol/kg]
    std::optional<double> rock_compressibility = {};  ///< of the first record of ROCK, in units of the deck
    std::vector<double> temperatures =
        {};                            ///< depth, temperature, depth ... of RTEMPVD or TEMPVD, in units of the deck
    bool has_co2_store = false;        ///< CO2STORE, of OPM Flow and ECLIPSE 300
    std::string dissolved_ratio = {};  ///< of gas in the brine or oil: RS for DISGAS, RSW for DISGASW; else empty
    std::vector<double> pressure_limits = {};  ///< item 7 of the records of WCONINJE, in units of the deck
};

/// Looks through the deck of a run for CO2STORE, DISGAS and DISGASW, its salinity, its rock compressibility, its
/// temperatures, the limits of the pressure in its injectors and for what a data set cannot carry; included files are
/// looked through as far as they are there. Records are not read: a keyword is one that stands alone on its line, or
/// behind a record with a remark on its line, or begins a record of a keyword that changes arrays. MULTPV counts as a
/// pore volume when `has_pore_volumes` is false, since the run tells otherwise. What changes flow between cells or
/// pores in section SCHEDULE is told apart, whatever its numbers, as INIT holds the start of the run. Throws
/// InvalidData, IoError.
ScannedDeck scan_deck(const std::filesystem::path& path, bool has_pore_volumes);

}  // namespace plumecast::eclipse
