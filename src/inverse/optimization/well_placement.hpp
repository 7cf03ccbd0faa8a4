#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "inverse/optimization/storage_config.hpp"

namespace plumecast {

/// Where the wells of boxes are, and where they may be.
struct WellPlacement {
    std::vector<std::vector<std::size_t>> wells = {};        ///< columns of the wells of each case, in increasing order
    std::vector<std::size_t> columns_of_places = {};         ///< of the places of the configuration
    std::vector<std::vector<std::size_t>> combinations{{}};  ///< of places, by their columns; one without any to stay

    /// How many wells a case has; 1 without boxes.
    std::int64_t count() const { return wells.empty() ? 1 : static_cast<std::int64_t>(wells[0].size()); }
};

/// The wells of a box in one of the cases.
struct OpenWells {
    std::vector<std::size_t> columns;  ///< of each well, in increasing order
    std::vector<float> perforation;    ///< [cells] of these wells
    std::vector<double> weights;       ///< [cells] in proportion to which the rate of a well spreads in its column
    std::vector<float> connection_factors = {};  ///< [cells], 0 where it is Peaceman's; empty where none are stated
};

/// Columns with a rate above 0 in the cases of a box, whose inputs [N, ...] are in `frame`, and all combinations of as
/// many places as the cases have wells. Throws InvalidData for cases with other numbers of wells, InvalidInput for
/// places that the grid lacks, that lie in one column, that are too few or of too many combinations, and where a case
/// has no active cell in the layers that its wells perforate.
WellPlacement well_placement(const Dataset& dataset, const std::vector<std::int64_t>& cases,
                             const DatasetContent& frame, const std::vector<WellPlace>& places);

/// The wells of case number `which` of the frame for a combination of places. A well in a column where the case has one
/// is that well. Others perforate the layers that any well of the case does, where cells are active; their rates spread
/// by sqrt(k_x k_y) and height (docs/data_format.md), and their connection factors are Peaceman's.
OpenWells open_wells(const DatasetContent& frame, const WellPlacement& placement, std::size_t which,
                     std::size_t combination);

/// Sum of the cells [cells] of a column of a grid with so many columns.
double column_sum(const std::vector<double>& values, std::size_t column, std::size_t columns);

}  // namespace plumecast
