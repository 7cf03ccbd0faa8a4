#include "grid.hpp"

#include <algorithm>
#include <cmath>

namespace plumecast {

RadialGrid radial_grid(const LatticeSettings& lattice, int rows, int columns) {
    RadialGrid grid;
    for (int j = 0; j <= columns; ++j) {
        const double i = static_cast<double>(j) * lattice.columns / columns;
        const double widths = (std::pow(lattice.width_growth, i) - 1.0) / (lattice.width_growth - 1.0);
        grid.r_edges.push_back(lattice.well_radius + lattice.first_width * widths);
    }
    for (int k = 0; k <= rows; ++k) {
        grid.z_edges.push_back(lattice.height * k / rows);
    }
    return grid;
}

BoxGrid box_grid(const BoxSettings& settings) {
    const auto edges = [](double length, int cells) {
        std::vector<double> result;
        for (int i = 0; i <= cells; ++i) {
            result.push_back(length * i / cells);
        }
        return result;
    };
    return {edges(settings.length_x, settings.columns), edges(settings.length_y, settings.lines),
            edges(settings.height, settings.rows)};
}

std::vector<double> centres_of(const std::vector<double>& edges) {
    std::vector<double> middle;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        middle.push_back(0.5 * (edges[i] + edges[i + 1]));
    }
    return middle;
}

std::size_t whole_rows(const std::vector<double>& z_edges, double thickness) {
    const double row_height = z_edges[1] - z_edges[0];
    return std::clamp(static_cast<std::size_t>(thickness / row_height + 1e-9), std::size_t{1}, z_edges.size() - 1);
}

std::vector<double> covered_fractions(const std::vector<double>& z_edges, std::size_t rows, double top, double length) {
    const double thickness = z_edges[rows];
    const double covered = std::min(length, thickness);
    const double first = std::min(top, thickness - covered);
    std::vector<double> fractions;
    for (std::size_t row = 0; row < rows; ++row) {
        const double begin = std::max(first, z_edges[row]);
        const double end = std::min(first + covered, z_edges[row + 1]);
        const double fraction = std::max(0.0, end - begin) / (z_edges[row + 1] - z_edges[row]);
        fractions.push_back(fraction < 1e-6 ? 0.0 : std::min(1.0, fraction));
    }
    return fractions;
}

std::vector<double> snapshot_times(const TimeSettings& times) {
    std::vector<double> days;
    double step = times.first;
    double time = 0.0;
    for (int i = 0; i < times.count; ++i) {
        time += step;
        step *= times.growth;
        days.push_back(time);
    }
    return days;
}

}  // namespace plumecast
