#pragma once

#include <cstdlib>

namespace plumecast::testing {

/// Whether tests that run a sample of what takes minutes run all of it: the label long sets PLUMECAST_LONG_TESTS.
inline bool are_tests_long() { return std::getenv("PLUMECAST_LONG_TESTS") != nullptr; }

/// Whether numbers that the release judges are tried at fewer entries and cases: the build with sanitizers, which looks
/// for what the same code does to memory and takes ten times as long, sets PLUMECAST_SHORT_TESTS.
inline bool are_tests_short() { return std::getenv("PLUMECAST_SHORT_TESTS") != nullptr; }

}  // namespace plumecast::testing
