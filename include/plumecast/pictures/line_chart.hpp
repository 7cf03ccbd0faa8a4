#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace plumecast {

/// One line of a chart. A value that is not finite (or not positive on a logarithmic axis) breaks the line.
struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
};

/// Lines over one pair of axes, with a legend above the plot.
struct LineChart {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Series> series;  ///< Up to eight get colours of their own, then colours repeat.
    bool log_y = false;
    int width = 640;
    int height = 400;
    int pixels_per_unit = 2;
};

/// Draws the chart as PNG, first under a temporary name. Throws InvalidInput when a series has unequal x and y or no
/// series has a point that can be drawn, IoError when the file cannot be written.
void draw_line_chart(const LineChart& chart, const std::filesystem::path& path);

}  // namespace plumecast
