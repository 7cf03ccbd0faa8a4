#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "console.hpp"

namespace plumecast::app {

/// A case by its number in the file, and what is said of it.
using CaseVerdicts = std::vector<std::pair<std::int64_t, Verdict>>;

/// Verdicts of all cases of a file, from case 0 on.
CaseVerdicts numbered(const std::vector<Verdict>& verdicts);

/// A warning for each of the first ten cases that are not good (or of all), the number of the others, and one line of
/// how many are good, doubtful and bad; nothing without verdicts.
void show_verdicts(const CaseVerdicts& verdicts, const std::string& result, Console& console, bool all = false);

/// What a file says of a case; good where it says nothing. Throws IoError, InvalidData.
Verdict verdict_in(const std::string& file, std::int64_t which);

/// A warning where a file says that a case is not good.
void warn_of_verdict(const std::string& file, std::int64_t which, Console& console);

}  // namespace plumecast::app
