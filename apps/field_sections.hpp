#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "plotting/section_plot.hpp"
#include "section_cut.hpp"

namespace plumecast::app {

/// A case of a file.
struct CaseOfFile {
    const Dataset* file = nullptr;
    std::int64_t which = 0;
};

/// What a figure of maps is made from.
struct SectionSource {
    const Dataset& fields;
    const Dataset* truth;  ///< simulated fields to compare with; may be null
    std::int64_t which;    ///< the case
    std::vector<std::int64_t> snapshots;
    SectionCut cut;
    std::optional<CaseOfFile> beside{};  ///< another scenario on the same grid, instead of a truth
};

/// "gas saturation", "[-]" and "gas saturation [-]" for the array "gas_saturation".
std::string array_words(const std::string& name);
std::string array_unit(const std::string& name);
std::string array_label(const std::string& name);
/// The same of an array of a file, which for generic data says its unit.
std::string unit_in(const Dataset& dataset, const std::string& name);
std::string label_in(const Dataset& dataset, const std::string& name);
/// "30 years", or of generic data the time in its unit; nothing where there are no times.
std::string time_in(const Dataset& dataset, std::int64_t snapshot);
/// Values of all cells of a field of a case at some snapshots; of an input the same for each. Throws InvalidInput for
/// what a file lacks.
std::vector<std::vector<float>> read_cells(const CaseOfFile& source, const std::vector<std::int64_t>& snapshots,
                                           const std::string& name);

/// Names of the maps that describe the cases of a file.
std::vector<std::string> input_maps(const Dataset& dataset);
/// True for a map that describes a case and does not vary in time.
bool is_input_map(const Dataset& dataset, const std::string& name);

/// Throws InvalidInput when two files have different grids, times or numbers of cases.
void require_same_grid(const Dataset& fields, const Dataset& truth);
/// Throws InvalidInput when scenarios of two files cannot be set side by side: other grids, or other times where fields
/// are drawn.
void require_like_cells(const Dataset& first, const Dataset& second, bool has_fields);
/// Throws InvalidInput for a case that does not exist, given by an option.
void require_case(const Dataset& fields, std::int64_t which, const char* option = "--case");
/// What the figure shows: case, file, and where verdicts are not good.
std::string title_of(const SectionSource& source);
/// A figure with title, grid and columns, showing the whole plume.
SectionFigure empty_figure(const SectionSource& source);
/// Adds the maps of a field, and with a truth the simulated ones and the error, or with another scenario its maps and
/// the difference; or those of an input, which are the same at any time. Throws InvalidInput for what a file lacks.
void add_rows(SectionFigure& figure, const SectionSource& source, const std::string& field);

}  // namespace plumecast::app
