#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plumecast::eclipse {

/// Values of a keyword as the file writes them: `3*0.2` is one run. Memory is that of the text, whatever it repeats.
struct ValueRuns {
    std::vector<std::pair<std::int64_t, double>> runs;
    std::int64_t count = 0;
    /// File and byte of the keyword, for messages.
    std::string place;

    /// All values; NaN for one that is left to the simulator (`5*`), which NTG, ACTNUM, MULTPV, PORV and MINPV may
    /// have. Throws InvalidData when there are not `expected` of them.
    std::vector<double> expand(std::int64_t expected, const std::string& keyword) const;
};

/// What GRDECL text holds.
struct Grdecl {
    std::map<std::string, ValueRuns> arrays;
    /// METRIC, FIELD, LAB or PVT-M where the text has such a keyword; empty otherwise.
    std::string units;
    /// Of NaCl in the water, as SALINITY states it [mol/kg].
    std::optional<double> molality = {};
    /// What the text says of the model and a data set cannot carry, one line per kind: faults, multipliers, aquifers.
    std::vector<std::string> notes;
};

/// Arrays of GRDECL text: `KEYWORD values /` with comments (`--`), repeat counts (`3*0.2`) and INCLUDE files, whose
/// names count from the folder of `path`. Kept are SPECGRID or DIMENS (its three numbers), COORD, ZCORN, ACTNUM, PORO,
/// NTG, PERMX, PERMY, PERMZ, PERMR, MULTPV, PORV, MINPV, MINPORV, MINPVV, MAPAXES, GRIDUNIT and MAPUNITS (the metres in
/// the unit), GRIDMAP (when GRIDUNIT ends with MAP) and CYLINDRICAL (when SPECGRID ends with T). Other keywords are
/// skipped record by record, and noted where they change the model. Throws InvalidData naming file and byte for text
/// that is no GRDECL or in UTF-16, a default (`5*`) where none may be, a keyword given twice, and one that changes
/// arrays (EQUALS, COPY, MULTIPLY, OPERATER ...), since only a simulator can tell their result; IoError for a missing
/// file.
Grdecl read_grdecl_text(const std::filesystem::path& path);

}  // namespace plumecast::eclipse
