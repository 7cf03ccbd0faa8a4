#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/units.hpp"

namespace plumecast::eclipse {

/// A vector of the summary over the simulator's own steps.
struct SummaryColumn {
    std::string keyword;
    std::string name;            ///< of the well or group; empty for a vector of the field
    std::vector<double> values;  ///< [days], in sm3 of gas, sm3 of gas a day or bar; NaN at steps of an earlier run
                                 ///< that did not write it
};

/// The summary of a run, and of those that it restarts as far as their files lie beside it.
struct Summary {
    std::vector<double> days;  ///< since the start of the first run
    std::vector<SummaryColumn> vectors;
    /// The run that the first of these steps restarts, as SMSPEC names it; empty when they begin on day 0.
    std::string restarts;
    /// Whether a file goes back in time, as a run that was started anew leaves it; what was written last is kept.
    bool goes_back = false;
    /// Date of day 0, where SMSPEC states it.
    std::optional<std::chrono::sys_seconds> start;
    std::string wrong_start = {};  ///< the date that SMSPEC states, "31-2-2020", when the calendar has no such day

    /// Values of a vector; null when the summary has none.
    const std::vector<double>* find(std::string_view keyword, std::string_view name = "") const;
    /// Wells that have a vector.
    std::vector<std::string> names_of(std::string_view keyword) const;
};

/// Reads the vectors called `keywords`, such as FGIT and WGIT; empty when the run has no summary. A
/// vector has the unit that SMSPEC states, else that of `units`. Throws InvalidData, also for another unit; IoError.
Summary read_summary(const CaseFiles& files, std::span<const std::string_view> keywords, const Units& units);

}  // namespace plumecast::eclipse
