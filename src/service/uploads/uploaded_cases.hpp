#pragma once

#include <string>

#include "service/limits.hpp"
#include "service/scenario.hpp"

namespace plumecast::service {

/// What messages call a file that was uploaded.
inline constexpr const char* name_of_upload = "uploaded file";

/// Reads the cases of a radial data set file into a scenario that asks for no fields. Throws InvalidData for a file
/// that violates the format or is Cartesian, Problem (413) beyond a limit, which is looked at before any map is read;
/// IoError.
Scenario uploaded_cases(const std::string& path, const Limits& limits);

}  // namespace plumecast::service
