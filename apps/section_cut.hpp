#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast::app {

/// How a Cartesian grid is cut to a map: a vertical section along x or along y, or a horizontal layer.
enum class CutKind { along_x, along_y, layer };

/// The cut that a user asks for; without a position a vertical one goes through the well of the highest rate, and the
/// layer is the uppermost.
struct CutWish {
    CutKind kind = CutKind::along_x;
    std::optional<std::int64_t> position;
};

/// A map of two axes within the cells of a case.
struct SectionCut {
    std::vector<double> across;    ///< edges along the map's rows [m]
    std::vector<double> down;      ///< edges from its top to its bottom [m]
    std::string_view across_name;  ///< "radius", "x", "y"
    std::string_view down_name;    ///< "depth", "y"
    std::string words;             ///< where the cut is, for the title; empty for a radial grid
    std::int64_t first = 0;        ///< cell of the map's first value
    std::int64_t step_down = 0;    ///< cells between two rows of the map
    std::int64_t step_across = 1;
    bool is_layer = false;
    std::optional<std::pair<std::string, std::string>> units{};  ///< across and down, of generic data; else metres

    /// Values [down * across] of the map out of those of all cells.
    std::vector<float> of(const float* cells) const;
};

/// The cut of a case; of generic data with three axes a layer, the middle one where none is named. Throws InvalidInput
/// for a position outside the grid, and for a wish with a grid of two axes.
SectionCut section_cut(const Dataset& dataset, std::int64_t which, const std::optional<CutWish>& wish);

}  // namespace plumecast::app
