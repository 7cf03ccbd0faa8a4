#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "command.hpp"
#include "console.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast::app {

/// A case by its number in the file, and what is said of it.
using CaseVerdicts = std::vector<std::pair<std::int64_t, Verdict>>;

/// Verdicts of all cases of a file, from case 0 on.
CaseVerdicts numbered(const std::vector<Verdict>& verdicts);

/// A warning for each of the first ten cases that are not good (or of all), the number of the others, and one line of
/// how many are good, doubtful and bad; nothing without verdicts.
void show_verdicts(const CaseVerdicts& verdicts, const std::string& result, Console& console, bool all = false);

/// Options of subcommands that judge what they write: --strict and --buildup-limit [bar].
void add_verdict_options(CLI::App& app, bool& strict, double& buildup_limit);

/// The exit code after a result is written: that of an error where a case is bad and that is asked for, and it is said.
ExitCode verdict_code(const ResultVerdicts& verdicts, bool is_strict, const std::string& result, Console& console);

/// A warning that names the cases of a file that have no values and are left out, where there are any.
void warn_of_missing_values(const std::vector<std::int64_t>& cases, const std::string& file, Console& console);

/// What a file says of a case; good where it says nothing. Throws IoError, InvalidData.
Verdict verdict_in(const std::string& file, std::int64_t which);

/// A warning where a file says that a case is not good.
void warn_of_verdict(const std::string& file, std::int64_t which, Console& console);

}  // namespace plumecast::app
