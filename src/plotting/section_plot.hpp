#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "plotting/colour_map.hpp"
#include "plotting/picture_format.hpp"

namespace plumecast {

/// Which values the ends of a colour map stand for, and what its bar says.
struct ColourScale {
    double low = 0.0;
    double high = 1.0;
    ColourMap map = ColourMap::sequential;
    std::string label;         ///< "gas saturation [-]"
    bool logarithmic = false;  ///< Colours follow the logarithm of a value; both ends are above 0.

    /// Where between the ends a value lies, unclamped; not finite for one that has no place.
    double fraction(double value) const;

    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

/// One row of r-z maps, one map per column of the figure. Neighbouring rows with equal scales share one colour bar.
struct SectionRow {
    std::string label;  ///< "prediction"
    ColourScale scale;
    std::vector<std::vector<float>> maps;  ///< Values [Z * R, r fastest] of each column.
    std::vector<float> active{};           ///< As that of the figure, where the row has its own; else empty.
};

/// A grid of maps over radius and depth, or over two other axes.
struct SectionFigure {
    std::string title;
    std::vector<double> r_edges;  ///< [R + 1] [m], or in units
    std::vector<double> z_edges;  ///< [Z + 1] [m], downwards
    std::vector<float> active;    ///< [Z * R], zero where a cell is drawn grey
    std::vector<std::string> columns;
    std::vector<SectionRow> rows;
    double r_max = 0.0;       ///< Radius to cut the maps at [m]; 0 for the whole grid.
    bool log_radius = false;  ///< Logarithmic radius; the first cell, which may reach to 0, is as wide as the second.
    bool is_plan = false;     ///< Seen from above: r_edges are those along x, z_edges those along y, which points up.
    int panel_width = 300;    ///< Picture units, as are all sizes of the layout.
    int panel_height = 130;
    int pixels_per_unit = 2;
    std::string_view across = "radius";  ///< What `r_edges` measure; a literal.
    std::string_view down = "depth";     ///< What `z_edges` measure; a literal.
    /// Of both; nothing for metres, which become kilometres where there are many.
    std::optional<std::pair<std::string, std::string>> units{};
};

/// Difference a - b of two maps of equal size. Throws InvalidInput otherwise.
std::vector<float> map_difference(const std::vector<float>& a, const std::vector<float>& b);

/// Scale from 0 (or the smallest value when that is negative) to the largest value in active cells, both rounded
/// outwards; finite values only.
ColourScale sequential_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                             std::string label);
/// Diverging scale symmetric about zero that holds every finite value in active cells, rounded outwards.
ColourScale symmetric_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                            std::string label);

/// Quotient a / b of two maps of equal size. Throws InvalidInput otherwise.
std::vector<float> map_ratio(const std::vector<float>& a, const std::vector<float>& b);

/// Logarithmic scale that holds every positive value in active cells, rounded outwards; sequential_scale() when there
/// is none.
ColourScale logarithmic_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                              std::string label);
/// Diverging logarithmic scale symmetric about 1 that holds every positive value in active cells, rounded outwards.
ColourScale ratio_scale(const std::vector<std::vector<float>>& maps, const std::vector<float>& active,
                        std::string label);

/// Radius [m] that shows all of a plume of radius `plume_radius` [m] with a quarter of it to spare, rounded up to two
/// digits; the whole grid when the plume is nearly as wide or there is none.
double picture_radius(double plume_radius, const std::vector<double>& r_edges);

/// Draws the figure as PNG, PDF or SVG by the ending of the name, first under a temporary name. Depth ends below the
/// deepest active cell. Throws InvalidInput when sizes differ or the figure has no panel, IoError when the file cannot
/// be written.
void draw_sections(const SectionFigure& figure, const std::filesystem::path& path);
/// The same as the bytes of a file.
std::string encode_sections(const SectionFigure& figure, PictureFormat format);

}  // namespace plumecast
