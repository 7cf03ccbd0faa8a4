#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/limits.hpp"
#include "service/scenario.hpp"

namespace plumecast::service {

/// What messages call a file that was uploaded.
inline constexpr const char* name_of_upload = "uploaded file";

/// Reads cases of a radial data set file, by their numbers or all without any, into a scenario that asks for no fields
/// and knows how many the file has. Throws InvalidData for a file that violates the format or is Cartesian, Problem
/// (413) beyond a limit, which is looked at before any map is read, (400) for a case that the file does not have;
/// IoError.
Scenario uploaded_cases(const std::string& path, std::vector<std::int64_t> cases, const Limits& limits);

}  // namespace plumecast::service
