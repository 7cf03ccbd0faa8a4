#include <plumecast/metrics/cell_geometry.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <plumecast/metrics/mass_balance.hpp>

namespace plumecast {
namespace {

/// Bulk volumes of layers over map cells.
void fill_volumes(CellGeometry& geometry) {
    geometry.volumes.reserve(geometry.cells());
    for (std::size_t row = 0; row < geometry.rows; ++row) {
        const double height = geometry.depths[row + 1] - geometry.depths[row];
        for (const double area : geometry.areas) {
            geometry.volumes.push_back(area * height);
        }
    }
}

}  // namespace

CellGeometry radial_geometry(std::span<const double> r_edges, std::span<const double> z_edges) {
    CellGeometry geometry;
    geometry.volumes = cell_volumes(r_edges, z_edges);
    geometry.rows = z_edges.size() - 1;
    geometry.columns = r_edges.size() - 1;
    geometry.depths.assign(z_edges.begin(), z_edges.end());
    for (std::size_t r = 0; r < geometry.columns; ++r) {
        const double inner = r_edges[r];
        const double outer = r_edges[r + 1];
        geometry.areas.push_back(std::numbers::pi * (outer * outer - inner * inner));
        geometry.reaches.push_back(outer);
        geometry.centres.push_back(0.5 * (inner + outer));
    }
    return geometry;
}

CellGeometry box_geometry(std::span<const double> x_edges, std::span<const double> y_edges,
                          std::span<const double> z_edges, double well_x, double well_y) {
    CellGeometry geometry;
    geometry.rows = z_edges.size() - 1;
    geometry.columns = (x_edges.size() - 1) * (y_edges.size() - 1);
    geometry.depths.assign(z_edges.begin(), z_edges.end());
    const auto farther = [](double low, double high, double from) {
        return std::max(std::abs(low - from), std::abs(high - from));
    };
    for (std::size_t y = 0; y + 1 < y_edges.size(); ++y) {
        for (std::size_t x = 0; x + 1 < x_edges.size(); ++x) {
            geometry.areas.push_back((x_edges[x + 1] - x_edges[x]) * (y_edges[y + 1] - y_edges[y]));
            geometry.reaches.push_back(
                std::hypot(farther(x_edges[x], x_edges[x + 1], well_x), farther(y_edges[y], y_edges[y + 1], well_y)));
            geometry.centres.push_back(
                std::hypot(0.5 * (x_edges[x] + x_edges[x + 1]) - well_x, 0.5 * (y_edges[y] + y_edges[y + 1]) - well_y));
        }
    }
    fill_volumes(geometry);
    return geometry;
}

}  // namespace plumecast
