#pragma once

#include <cstdlib>

namespace plumecast::testing {

/// Whether tests that run a sample of what takes minutes run all of it: the label long sets PLUMECAST_LONG_TESTS.
inline bool are_tests_long() { return std::getenv("PLUMECAST_LONG_TESTS") != nullptr; }

}  // namespace plumecast::testing
