#pragma once

#include <string>

namespace plumecast::testing {

/// The folder of the repository, where data, models, documents and `tests/reference` lie.
std::string repository_folder();

}  // namespace plumecast::testing
