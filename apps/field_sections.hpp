#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/data/dataset.hpp>
#include <plumecast/pictures/section_plot.hpp>

#include "section_cut.hpp"

namespace plumecast::app {

/// What a figure of maps is made from.
struct SectionSource {
    const Dataset& fields;
    const Dataset* truth;  ///< simulated fields to compare with; may be null
    std::int64_t which;    ///< the case
    std::vector<std::int64_t> snapshots;
    SectionCut cut;
};

/// Throws InvalidInput when two files have different grids, times or numbers of cases.
void require_same_grid(const Dataset& fields, const Dataset& truth);
/// Throws InvalidInput for a case that does not exist.
void require_case(const Dataset& fields, std::int64_t which);
/// A figure with title, grid and columns, showing the whole plume.
SectionFigure empty_figure(const SectionSource& source);
/// Adds the maps of a field, and with a truth the simulated ones and the error. Throws InvalidInput for a field that a
/// file lacks.
void add_rows(SectionFigure& figure, const SectionSource& source, const std::string& field);

}  // namespace plumecast::app
