#include "grid.hpp"

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
