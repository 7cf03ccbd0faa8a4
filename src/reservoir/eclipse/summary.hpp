#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reservoir/eclipse/case_files.hpp"

namespace plumecast::eclipse {

/// A vector of the summary over the simulator's own steps.
struct SummaryColumn {
    std::string keyword;
    std::string name;  ///< of the well or group; empty for a vector of the field
    std::string unit;
    std::vector<double> values;  ///< [days]; NaN at steps of an earlier run that did not write it
};

/// The summary of a run, and of those that it restarts as far as their files lie beside it.
struct Summary {
    std::vector<double> days;  ///< since the start of the first run
    std::vector<SummaryColumn> vectors;
    /// The run that the first of these steps restarts, as SMSPEC names it; empty when they begin on day 0.
    std::string restarts;
    /// Date of day 0, where SMSPEC states it.
    std::optional<std::chrono::sys_seconds> start;

    /// Values of a vector; null when the summary has none.
    const std::vector<double>* find(std::string_view keyword, std::string_view name = "") const;
    /// Wells that have a vector.
    std::vector<std::string> names_of(std::string_view keyword) const;
};

/// Reads the vectors called `keywords`, such as FGIT and WGIT; empty when the run has no summary. Throws InvalidData,
/// IoError.
Summary read_summary(const CaseFiles& files, std::span<const std::string_view> keywords);

}  // namespace plumecast::eclipse
