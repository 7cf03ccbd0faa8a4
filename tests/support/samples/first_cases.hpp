#pragma once

#include <cstdint>
#include <string>

#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

namespace plumecast::testing {

/// The inputs of the first cases of a data set, read. In a source of its own, which programs without a test framework
/// take too.
DatasetContent first_cases(const std::string& path, std::int64_t count);

}  // namespace plumecast::testing
