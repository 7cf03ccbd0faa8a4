#include <plumecast/reservoir/metrics/cell_geometry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <plumecast/reservoir/metrics/mass_balance.hpp>

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
                          std::span<const double> z_edges, std::span<const std::size_t> wells) {
    CellGeometry geometry;
    const std::size_t nx = x_edges.size() - 1;
    geometry.rows = z_edges.size() - 1;
    geometry.columns = nx * (y_edges.size() - 1);
    geometry.depths.assign(z_edges.begin(), z_edges.end());
    const auto middle = [](std::span<const double> edges, std::size_t i) { return 0.5 * (edges[i] + edges[i + 1]); };
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        const std::size_t x = column % nx;
        const std::size_t y = column / nx;
        const double half_x = 0.5 * (x_edges[x + 1] - x_edges[x]);
        const double half_y = 0.5 * (y_edges[y + 1] - y_edges[y]);
        double reach = wells.empty() ? 0.0 : std::numeric_limits<double>::infinity();
        double centre = reach;
        for (const std::size_t well : wells) {
            const double dx = std::abs(middle(x_edges, x) - middle(x_edges, well % nx));
            const double dy = std::abs(middle(y_edges, y) - middle(y_edges, well / nx));
            centre = std::min(centre, std::hypot(dx, dy));
            reach = std::min(reach, std::hypot(dx + half_x, dy + half_y));
        }
        geometry.areas.push_back(4.0 * half_x * half_y);
        geometry.centres.push_back(centre);
        geometry.reaches.push_back(reach);
    }
    fill_volumes(geometry);
    return geometry;
}

}  // namespace plumecast
