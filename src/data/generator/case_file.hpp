#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include <plumecast/data/fields.hpp>
#include <plumecast/data/generator/generator.hpp>
#include <plumecast/data/schema.hpp>

#include "data/h5/file.hpp"

namespace plumecast {

/// A case that passed every check: arrays of one case as the data set stores them.
struct FinishedCase {
    std::int64_t number = 0;
    Medium medium = Medium::homogeneous;
    std::map<std::string, std::vector<float>> arrays;
};

/// What is common to all cases of a data set.
struct DatasetFrame {
    FileAttributes attributes;
    std::vector<double> r_edges;       ///< [R+1] [m]
    std::vector<double> z_edges;       ///< [Z+1] [m]
    std::vector<double> times;         ///< [T] [day]
    std::vector<double> x_edges = {};  ///< [X+1] [m] of a box, instead of r_edges
    std::vector<double> y_edges = {};  ///< [Y+1] [m]

    Geometry geometry() const { return x_edges.empty() ? Geometry::radial : Geometry::cartesian; }
};

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

/// Writes a data set file of one case. Throws IoError.
void write_case_file(const std::filesystem::path& path, const DatasetFrame& frame, const FinishedCase& finished);

/// Writes a data set file of all `rows`, reading one case at a time. Throws IoError, InvalidData for a damaged file.
void join_case_files(const std::filesystem::path& path, const DatasetFrame& frame, const CaseList& list,
                     std::span<const CaseRow> rows);

/// Reads what join_case_files() noted about the cases. Throws InvalidData.
CaseList read_case_list(const h5::File& file);

}  // namespace plumecast
