#pragma once

#include <string>
#include <vector>

#include "reservoir/eclipse/case_files.hpp"

namespace plumecast::eclipse {

/// A vector of the summary over the simulator's own steps.
struct SummarySeries {
    std::vector<double> days;
    std::vector<double> values;
    std::string unit;
};

/// Reads one field vector such as FGIT; empty when the run has no summary or the summary no such vector. Throws
/// InvalidData, IoError.
SummarySeries read_summary(const CaseFiles& files, const std::string& keyword);

}  // namespace plumecast::eclipse
