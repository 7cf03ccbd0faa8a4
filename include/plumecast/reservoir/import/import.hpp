#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>

namespace plumecast {

/// Onto which kind of grid a model is brought: what it looks like, rings around one well, or a box of cells.
enum class ImportGrid { automatic, radial, box };

/// What to import, and how.
struct ImportOptions {
    /// One case each: a run of ECLIPSE or OPM Flow (any of its files, its name without extension, or its folder), or a
    /// GRDECL file. A run that several of its files name counts once.
    std::vector<std::string> sources;
    std::string output;
    std::string title;
    ImportGrid grid = ImportGrid::automatic;
    /// A data set whose grid holds for all models; those without times have its times too, and of others the states at
    /// its times are taken; empty for none.
    std::string like;
    /// A JSON file with values for all cases; empty for none. RUN.plumecast.json beside a run goes before it, `set`
    /// before both.
    std::string values;
    Json set = Json::Object{};
    /// A JSON file that says what the arrays of an HDF5 file of another layout mean; the only source is then that file.
    std::string map;
    /// Rates that change in time take their means: of one well, whose rates become a schedule otherwise, and of wells
    /// whose shares in the injection change, which are refused otherwise.
    bool constant_rates = false;
    /// Called with the number of cases done and of all; returns true to stop.
    std::function<bool(std::string_view phase, std::int64_t done, std::int64_t all)> progress;
};

/// How an import went.
struct ImportReport {
    std::int64_t cases = 0;
    std::int64_t rows = 0;
    std::int64_t lines = 0;  ///< of a box, 0 of a radial grid
    std::int64_t columns = 0;
    std::int64_t snapshots = 0;
    bool has_outputs = false;
    /// False when it was stopped; there is no output then.
    bool is_complete = true;
    /// What was assumed of cases, and what to do about it, one line each: "runs/CASE_3: injection ends on day 3652 of
    /// 10950 (...); choose ...". The data set keeps what concerns a case among its notes.
    std::vector<std::string> assumptions;
    /// What the sources say and the data set cannot carry, with the cases that it holds for; the data set repeats it.
    std::vector<DataNote> notes;
};

/// Reads models and writes them as one data set, which appears under its name when it is complete. Memory is that of
/// one case. Throws InvalidData naming file and byte, keyword or case, and what to do; InvalidInput for options that
/// contradict themselves; IoError.
ImportReport import_models(const ImportOptions& options);

}  // namespace plumecast
