#pragma once

#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class Dataset;

/// What is wrong with arrays under /case of a data set: other numbers of entries than of cases, but in the account of
/// rejected cases, and injected masses that nothing takes. Nothing of cases in memory. Throws IoError.
std::vector<Violation> case_array_violations(const Dataset& dataset);

}  // namespace plumecast
