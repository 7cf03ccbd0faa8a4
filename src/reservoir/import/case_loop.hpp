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
    /// Texts of the cases to keep under /case, by name; those that are all empty are left out.
    std::map<std::string, std::vector<std::string>> texts;
};

/// Reads all arrays of a case, by name, and what goes under /case: injected_mass and bottom_hole_pressure.
using CaseSource = std::function<std::map<std::string, std::vector<float>>(std::int64_t which)>;

/// Writes the cases one at a time; the file appears when all are there. `notes`, which are read when all cases are
/// there, are texts of the cases, one line per note; empty for none. Throws what `source` throws, InvalidData for an
/// input outside of its range, IoError.
ImportReport import_cases(const ImportOptions& options, const ImportPlan& plan, const CaseSource& source,
                          const std::vector<std::string>& notes = {});

}  // namespace plumecast
