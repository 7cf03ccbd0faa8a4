#pragma once

#include <string>

#include <plumecast/core/json.hpp>

#include "inverse/inversion/inversion_config.hpp"
#include "inverse/inversion/inversion_report.hpp"

namespace plumecast {

/// observations.csv: a row per observation, in the order of the file.
std::string misfit_table(const InversionReport& report, bool is_radial);
/// convergence.csv: a row per step.
std::string convergence_table(const InversionReport& report);
/// inversion.json: the configuration, the steps, the members and the warnings.
std::string record_of(const InversionConfig& config, const InversionReport& report);

/// An entry of `steps` of inversion.json.
Json json_of_step(const InversionStep& step);
/// What of a report is known before the last step, and back.
Json json_of_report(const InversionReport& report);
void read_report(const Json& json, InversionReport& report);

}  // namespace plumecast
