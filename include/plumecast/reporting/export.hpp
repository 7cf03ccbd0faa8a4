#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>

namespace plumecast {

/// Kinds of files to export to.
enum class ExportFormat {
    eclipse,  ///< EGRID, INIT, UNRST, SMSPEC, UNSMRY
    vtk,      ///< .vtu or .vtr per time, .pvd
    xdmf,     ///< .xdmf over the HDF5 file, which stays where it is
    csv       ///< tables of cells, fields and totals
};

/// What to export and how.
struct ExportOptions {
    std::filesystem::path folder;
    std::vector<ExportFormat> formats = {ExportFormat::eclipse};
    std::vector<std::int64_t> cases;  ///< numbers from 0; empty for all
    std::string name = "CASE";        ///< file name of a single case; several get a number: CASE_0000
    /// Sectors of the full cylinder that a radial case is drawn as; 1 for one column per ring (see cylinder_grid()).
    std::size_t sectors = 12;
    /// Date of day 0; by default that of the case in the file (`/case/start_date`), else 2020-01-01.
    std::optional<std::chrono::sys_days> start;
    std::optional<double> top_depth;  ///< of the formation [m]; by default that of the file, else computed
    bool is_forced = false;           ///< replace files of these names that no export wrote
    bool formatted = false;           ///< ECLIPSE files as text
    /// Told of a case that could not be computed, which gets no files; may be empty.
    std::function<void(std::int64_t number)> without_values;
    LogSink log;           ///< told which depth was taken; may be empty
    std::size_t jobs = 0;  ///< cases written at once, one thread each; 0 for four per core
};

/// Told after each case how many of how many are done; false ends the export there.
using ExportProgress = std::function<bool(std::int64_t done, std::int64_t wanted)>;

/// Writes cases of a data set or result file, `jobs` of them in memory and each file whole; returns the number written.
/// `progress` is called by one thread at a time. Throws
/// InvalidInput for a case that does not exist or an impossible option, InvalidData for fields that cannot be exported,
/// IoError.
std::int64_t export_fields(const std::string& path, const ExportOptions& options, const ExportProgress& progress);

}  // namespace plumecast
