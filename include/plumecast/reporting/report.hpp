#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>
#include <plumecast/reservoir/metrics/series_options.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

/// What to report and how.
struct ReportOptions {
    std::filesystem::path folder;
    std::string title;                ///< of the page; by default that of the file
    std::vector<std::int64_t> cases;  ///< numbers from 0; empty for all
    SeriesOptions series;
    std::optional<double> top_depth;  ///< of the formation [m]; by default that of the file, else computed
    /// Of the map, on which the grid lies as the file says, or else of the coordinates of the grid: CO2 inside and
    /// outside is measured. Cartesian grids have one.
    std::optional<MapPolygon> polygon;
    std::string polygon_source;         ///< what report.json calls the polygon, such as the name of its file
    std::optional<double> well_radius;  ///< of wells in boxes [m]; by default that of the file, else 0.1
    /// Date of day 0; by default that of the case in the file (`/case/start_date`), else 2020-01-01.
    std::optional<std::chrono::sys_days> start;
    bool is_forced = false;  ///< replace files in the folder that no report wrote
    /// Also the sparse data of a single case of the benchmark SPE11B, spe11b_time_series.csv (docs/spe11.md).
    bool spe11 = false;
    bool gen_data = false;  ///< Also each series of a single case as GEN_DATA of ERT: one number per line.
};

/// What a report tells beside its files.
struct ReportSummary {
    bool is_complete = false;  ///< false when it was ended; nothing is written then
    /// Sentences: limits that cases exceed, which depth was taken, what was not computed and why.
    std::vector<std::string> findings;
    /// A verdict of each case measured, where the file has them, with the numbers of the cases.
    std::vector<std::pair<std::int64_t, Verdict>> verdicts;
    /// What the sources of the cases measured say and the file cannot carry; cases counted as in the file.
    std::vector<DataNote> notes;
    std::vector<std::int64_t> without_values;  ///< cases that could not be computed, which are left out of everything
};

/// Told after each case how many of how many are measured; false ends the report, and nothing is written.
using ReportProgress = std::function<bool(std::int64_t done, std::int64_t wanted)>;

/// Measures cases of a data set or result file, one at a time, and writes tables, pictures and a page into the folder,
/// which is made when missing (docs/report.md lists the files). Throws InvalidInput
/// for a case that does not exist or an impossible option, InvalidData for fields that cannot be measured, IoError.
ReportSummary write_report(const std::string& path, const ReportOptions& options, const ReportProgress& progress);

}  // namespace plumecast
