#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plotting/picture_format.hpp"

namespace plumecast {

/// One line of a chart. A value that is not finite (or not positive on a logarithmic axis) breaks the line.
struct Series {
    std::string name;  ///< An empty one keeps the line out of the legend.
    std::vector<double> x;
    std::vector<double> y;
    int colour = -1;        ///< Position in the palette; -1 for the position of the series.
    bool is_faint = false;  ///< A thin grey line without an entry in the legend, behind the others.
    bool is_dashed = false;
    bool is_dot = false;  ///< Dots at its points instead of a line.
};

/// The space between two lines, filled in the colour of a series, behind all lines.
struct Band {
    std::string name;
    std::vector<double> x;
    std::vector<double> low;
    std::vector<double> high;
    int colour = 0;
    double opacity = 0.18;  ///< 0 to 1
};

/// Lines over one pair of axes, with a legend above the plot.
struct LineChart {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Series> series;  ///< Up to eight get colours of their own, then colours repeat.
    std::vector<Band> bands;
    bool log_y = false;
    bool whole_x = false;  ///< Ticks of x at whole numbers only, as for counts.
    bool zero_y = false;   ///< A linear axis starts at zero, or at the smallest value below it.
    int width = 640;
    int height = 400;
    int pixels_per_unit = 2;
};

/// Draws the chart as PNG, PDF or SVG by the ending of the name, first under a temporary name. Throws InvalidInput when
/// a series or band has unequal x and y or nothing has a point that can be drawn, IoError when the file cannot be
/// written.
void draw_line_chart(const LineChart& chart, const std::filesystem::path& path);
/// The same as the bytes of a file.
std::string encode_line_chart(const LineChart& chart, PictureFormat format);

/// Draws several charts one below the other as draw_line_chart() draws one; the first gives the pixels per unit. Throws
/// InvalidInput also when there is none.
void draw_line_charts(const std::vector<LineChart>& charts, const std::filesystem::path& path);

}  // namespace plumecast
