#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast {

/// A case of one of several files.
struct CasePlace {
    std::size_t source = 0;
    std::int64_t row = 0;
};

/// Cases to be copied into a file of their own.
struct CopyPlan {
    std::vector<std::string> sources;  ///< data sets of one grid; the first gives grid and times
    std::vector<CasePlace> cases;      ///< in the order of the new file, those of one source together
    FileAttributes attributes;         ///< instead of the sources'
    bool without_outputs = false;
};

/// The output that older imports and other simulators lack: joined files keep it where all of them have it.
inline constexpr std::string_view optional_output = "dissolved_co2";

/// Fills `target`, which the caller commits. False when `progress` asked to stop; the file is then incomplete.
/// Attributes of the sources go along where all say the same. Adds what was not taken along to `report`. Throws
/// InvalidData, also where the numbers of an array mean different things in two sources; IoError.
bool copy_cases(const AtomicFile& target, const CopyPlan& plan, const CaseProgress& progress, CaseReport& report);

}  // namespace plumecast
