#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumecast {

/// Name under /case of what the source of each case says and a data set cannot carry, and of what was assumed of a run
/// [N], a note per line.
inline constexpr std::string_view data_notes_name = "notes";

/// What the sources of some cases say and the data set cannot carry (faults, multipliers, local grids, hysteresis), or
/// what an import assumed of their runs: mean rates, CO2 that a run made or lost.
struct DataNote {
    std::string text;
    std::vector<std::int64_t> cases;  ///< counted from 0, increasing
    bool holds_for_all = false;       ///< these are all cases of the file

    /// The text and, where it does not hold for all cases, for which it does: "... (cases 0, 3, 4)".
    std::string line() const;
};

/// The notes of a file, each once, in the order of the cases; none where it has none. Throws IoError, InvalidData when
/// the file is damaged.
std::vector<DataNote> data_notes(const std::string& path);

/// The same of texts [N] as a file holds them.
std::vector<DataNote> grouped_notes(const std::vector<std::string>& texts);

/// The text of one case: its notes, a line for each.
std::string text_of_notes(const std::vector<std::string>& notes);

/// Whether a file says of each case why it is not good, in `/case/trust_reasons`. Throws as data_notes().
bool has_trust_reasons(const std::string& path);

}  // namespace plumecast
