#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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

    /// All values. Throws InvalidData when there are not `expected` of them.
    std::vector<double> expand(std::int64_t expected, const std::string& keyword) const;
};

/// Arrays of GRDECL text: `KEYWORD values /` with comments (`--`), repeat counts (`3*0.2`) and INCLUDE files, whose
/// names count from the folder of `path`. Kept are SPECGRID or DIMENS (its three numbers), COORD, ZCORN, ACTNUM, PORO,
/// NTG, PERMX, PERMY, PERMZ, PERMR, GRIDUNIT (the metres in its unit) and CYLINDRICAL (when SPECGRID ends with T);
/// other keywords are skipped. Throws InvalidData naming file and byte for text that is no GRDECL, a default (`5*`), a
/// keyword given twice, and one that changes arrays (EQUALS, COPY, MULTIPLY ...), since only a simulator can tell their
/// result; IoError for a missing file.
std::map<std::string, ValueRuns> read_grdecl(const std::filesystem::path& path);

}  // namespace plumecast::eclipse
