#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/cases/texts_of_cases.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/generation/generation_report.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Which cases a data set holds, in the order of its rows, and which were rejected.
struct CaseList {
    std::vector<std::int64_t> finished;
    std::map<std::int64_t, Rejection> rejected;
};

/// A case within a file.
struct CaseRow {
    std::filesystem::path file;
    std::int64_t row = 0;
};

/// Writes a data set file of one case on the grid and at the times of `frame`, with its attributes. Throws IoError.
void write_case_file(const std::filesystem::path& path, const DatasetContent& frame, const FinishedCase& finished);

/// Writes a data set file of all `rows` with the texts of its cases, reading one case at a time. Throws IoError,
/// InvalidData for a damaged file.
void join_case_files(const std::filesystem::path& path, const DatasetContent& frame, const CaseList& list,
                     std::span<const CaseRow> rows, const CaseTexts& texts = {});

/// Reads what join_case_files() noted about the cases. Throws InvalidData.
CaseList read_case_list(const h5::File& file);

}  // namespace plumecast
