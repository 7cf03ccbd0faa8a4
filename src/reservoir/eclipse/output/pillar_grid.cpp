#include "reservoir/eclipse/output/pillar_grid.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast::eclipse {
namespace {

void add_pillar(PillarGrid& grid, double x, double y, std::span<const double> z_edges, double top) {
    for (const double z : {z_edges.front(), z_edges.back()}) {
        grid.coord.push_back(static_cast<float>(x));
        grid.coord.push_back(static_cast<float>(y));
        grid.coord.push_back(static_cast<float>(top + z));
    }
}

/// Layers between level planes.
void add_level_corners(PillarGrid& grid, std::span<const double> z_edges, double top) {
    const std::size_t per_plane = 4 * grid.nx * grid.ny;
    grid.zcorn.reserve(2 * grid.nz * per_plane);
    for (std::size_t k = 0; k < grid.nz; ++k) {
        grid.zcorn.insert(grid.zcorn.end(), per_plane, static_cast<float>(top + z_edges[k]));
        grid.zcorn.insert(grid.zcorn.end(), per_plane, static_cast<float>(top + z_edges[k + 1]));
    }
}

void add_unrolled_pillars(PillarGrid& grid, std::span<const double> r_edges, std::span<const double> z_edges,
                          double top) {
    for (const double side : {-std::numbers::pi, std::numbers::pi}) {
        for (const double r : r_edges) {
            add_pillar(grid, r, side * r, z_edges, top);
        }
    }
}

void add_round_pillars(PillarGrid& grid, std::span<const double> r_edges, std::span<const double> z_edges, double top) {
    const double step = 2.0 * std::numbers::pi / static_cast<double>(grid.ny);
    const double scale = std::sqrt(step / std::sin(step));
    for (std::size_t j = 0; j <= grid.ny; ++j) {
        // The last pillars are the first ones, to the bit.
        const double angle = step * static_cast<double>(j % grid.ny);
        for (const double r : r_edges) {
            add_pillar(grid, scale * r * std::cos(angle), scale * r * std::sin(angle), z_edges, top);
        }
    }
}

}  // namespace

PillarGrid cylinder_grid(std::span<const double> r_edges, std::span<const double> z_edges, std::size_t sectors,
                         double top) {
    if (sectors == 0 || sectors == 2) {
        throw InvalidInput("a cylinder of " + std::to_string(sectors) +
                           " sectors has no volume (a polygon has three corners and more); take 1 for the unrolled "
                           "cylinder, or 3 and more");
    }
    PillarGrid grid{r_edges.size() - 1, sectors, z_edges.size() - 1, {}, {}};
    if (sectors == 1) {
        add_unrolled_pillars(grid, r_edges, z_edges, top);
    } else {
        add_round_pillars(grid, r_edges, z_edges, top);
    }
    add_level_corners(grid, z_edges, top);
    return grid;
}

PillarGrid box_grid(std::span<const double> x_edges, std::span<const double> y_edges, std::span<const double> z_edges,
                    double top) {
    PillarGrid grid{x_edges.size() - 1, y_edges.size() - 1, z_edges.size() - 1, {}, {}};
    for (const double y : y_edges) {
        for (const double x : x_edges) {
            add_pillar(grid, x, y, z_edges, top);
        }
    }
    add_level_corners(grid, z_edges, top);
    return grid;
}

Corners cell_corners(const PillarGrid& grid, std::size_t i, std::size_t j, std::size_t k) {
    const auto number = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    return corners_on_pillars({number(grid.nx), number(grid.ny), number(grid.nz)}, grid.coord, grid.zcorn,
                              {number(i), number(j), number(k)});
}

}  // namespace plumecast::eclipse
