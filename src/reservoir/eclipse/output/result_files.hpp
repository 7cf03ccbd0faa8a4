#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reservoir/eclipse/output/pillar_grid.hpp"
#include "reservoir/eclipse/output/record_writer.hpp"

/// Writes results as the files that ECLIPSE and OPM Flow leave: EGRID, INIT, UNRST, SMSPEC and UNSMRY, in metric units
/// (m, bar, mD, sm3, day), as ResInsight, opm and resdata read them. Record layouts as in OPM Flow's own files.
namespace plumecast::eclipse {

/// What the heads of all files of a case tell.
struct CaseHead {
    std::size_t nx = 0;
    std::size_t ny = 0;
    std::size_t nz = 0;
    std::size_t active = 0;          ///< number of active cells
    std::chrono::sys_seconds start;  ///< moment of day 0
    RecordFormat format = RecordFormat::unformatted;
};

/// Values of one keyword, of the active cells in the order of the grid.
struct CellProperty {
    std::string keyword;
    std::vector<float> values;
};

/// A vector of the summary, one value per time.
struct SummaryVector {
    std::string keyword;
    std::string unit;
    std::vector<double> values;
    std::string well = {};  ///< name of up to eight characters; empty for a vector of the field
};

/// Extension of a file in a format: "EGRID" or "FEGRID".
std::string extension(const std::string& name, RecordFormat format);

/// Grid and activity, `active` [cells] 0 or 1. Throws IoError, as all below.
void write_egrid(const std::filesystem::path& path, const PillarGrid& grid, std::span<const std::int32_t> active,
                 RecordFormat format);

/// Properties that do not change, with the pore volumes [all cells] [m3].
void write_init(const std::filesystem::path& path, const CaseHead& head, std::span<const float> pore_volumes,
                std::span<const CellProperty> properties);

/// A unified restart file, filled step by step; it takes its name at commit().
class RestartWriter {
   public:
    RestartWriter(const std::filesystem::path& path, const CaseHead& head);

    /// Adds a report step, counted from 0, at a time [day] since the start. Throws InvalidData where no date tells it.
    void add(std::int32_t step, double day, std::span<const CellProperty> solution);
    void commit() { file_.commit(); }

   private:
    CaseHead head_;
    RecordWriter file_;
};

/// Writes STEM.SMSPEC and STEM.UNSMRY. TIME [day] and YEARS come first, then the vectors.
void write_summary(const std::filesystem::path& stem, const CaseHead& head, std::span<const double> times,
                   std::span<const SummaryVector> vectors);

}  // namespace plumecast::eclipse
