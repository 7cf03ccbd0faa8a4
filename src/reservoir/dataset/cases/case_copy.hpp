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
    std::vector<std::string> sources;  ///< data sets of one grid; the first gives grid, times and attributes
    std::vector<CasePlace> cases;      ///< in the order of the new file, those of one source together
    FileAttributes attributes;         ///< instead of the source's
    bool without_outputs = false;
};

/// The output that older imports and other simulators lack: joined files keep it where all of them have it.
inline constexpr std::string_view optional_output = "dissolved_co2";

/// Fills `target`, which the caller commits. False when `progress` asked to stop; the file is then incomplete. Adds the
/// arrays that were not taken along to `left_out`. Throws InvalidData, IoError.
bool copy_cases(const AtomicFile& target, const CopyPlan& plan, const CaseProgress& progress,
                std::vector<std::string>& left_out);

}  // namespace plumecast
