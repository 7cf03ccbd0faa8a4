#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/import/import.hpp>

namespace plumecast {

/// What an import found out before it reads cases.
struct ImportPlan {
    DatasetContent frame;  ///< attributes, edges, times and arrays of cells
    std::int64_t cases = 0;
    std::vector<std::string> arrays;  ///< inputs and outputs that every case has
    std::vector<std::string> models;  ///< names of the sources of the cases; may be empty
};

/// Reads all arrays of a case, by name.
using CaseSource = std::function<std::map<std::string, std::vector<float>>(std::int64_t which)>;

/// Writes the cases one at a time; the file appears when all are there. Throws what `source` throws, IoError.
ImportReport import_cases(const ImportOptions& options, const ImportPlan& plan, const CaseSource& source);

}  // namespace plumecast
