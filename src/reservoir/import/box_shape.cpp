#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/model_notes/cell_shapes.hpp"

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::Corners;
using eclipse::Point;

constexpr double least_width = 1e-3;  // [m]; edges must increase where all cells of a layer are pinched out

Point mean(const Corners& corners, const std::array<std::size_t, 4>& which) {
    Point sum;
    for (const std::size_t c : which) {
        sum = {sum.x + corners[c].x / 4, sum.y + corners[c].y / 4, sum.z + corners[c].z / 4};
    }
    return sum;
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

/// Distances between opposite faces along i, j, k.
std::array<double, 3> widths(const Corners& c) {
    return {distance(mean(c, {0, 2, 4, 6}), mean(c, {1, 3, 5, 7})),
            distance(mean(c, {0, 1, 4, 5}), mean(c, {2, 3, 6, 7})),
            distance(mean(c, {0, 1, 2, 3}), mean(c, {4, 5, 6, 7}))};
}

/// Mean width of the active cells at each place of an axis.
class MeanWidths {
   public:
    explicit MeanWidths(std::int64_t places) : sums_(static_cast<std::size_t>(places)), counts_(sums_.size()) {}
    void add(std::int64_t place, double width) {
        sums_[static_cast<std::size_t>(place)] += width;
        counts_[static_cast<std::size_t>(place)] += 1.0;
    }
    /// From 0 on; a place without active cells takes the mean of the others.
    std::vector<double> edges() const {
        double sum = 0.0;
        double count = 0.0;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            sum += counts_[i] > 0.0 ? sums_[i] / counts_[i] : 0.0;
            count += counts_[i] > 0.0 ? 1.0 : 0.0;
        }
        std::vector<double> edges = {0.0};
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const double width = counts_[i] > 0.0 ? sums_[i] / counts_[i] : sum / count;
            edges.push_back(edges.back() + std::max(width, least_width));
        }
        return edges;
    }

   private:
    std::vector<double> sums_;
    std::vector<double> counts_;
};

/// Corners of a cell in coordinates of the map, where the grid tells how it lies there.
Corners corners_on_map(const CornerPointGrid& grid, std::int64_t i, std::int64_t j, std::int64_t k) {
    Corners corners = grid.corners(i, j, k);
    for (Point& corner : corners) {
        corner = grid.map_axes() ? grid.map_axes()->on_map(corner) : corner;
    }
    return corners;
}

/// The least coordinates of active cells on the map: what positions count from, so that single precision holds them.
Point origin_of(const CornerPointGrid& grid, const std::string& name) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Point least{infinity, infinity, infinity};
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t j = 0; j < grid.ny(); ++j) {
            for (std::int64_t i = 0; i < grid.nx(); ++i) {
                if (grid.active()[static_cast<std::size_t>(grid.index(i, j, k))] == 0) {
                    continue;
                }
                for (const Point& corner : corners_on_map(grid, i, j, k)) {
                    least = {std::min(least.x, corner.x), std::min(least.y, corner.y), std::min(least.z, corner.z)};
                }
            }
        }
    }
    if (least.x == infinity) {
        throw InvalidData(name + ": no cell is active (ACTNUM or the pore volume is 0 everywhere); leave the case out");
    }
    return least;
}

/// Pillars and corner depths, counted from the origin.
void add_corner_points(StoredGrid& shape, const CornerPointGrid& grid, Point origin) {
    std::vector<float>&pillars = shape.cells["pillars"], &depths = shape.cells["corner_depths"];
    for (std::size_t at = 0; at < grid.pillars().size(); at += 3) {
        Point end{grid.pillars()[at], grid.pillars()[at + 1], grid.pillars()[at + 2]};
        end = grid.map_axes() ? grid.map_axes()->on_map(end) : end;
        for (const double value : {end.x - origin.x, end.y - origin.y, end.z - origin.z}) {
            pillars.push_back(static_cast<float>(value));
        }
    }
    for (const double depth : grid.corner_depths()) {
        depths.push_back(static_cast<float>(depth - origin.z));
    }
}

}  // namespace

bool StoredGrid::is_plain_box() const {
    static const std::vector<float> none;
    const auto of_cells = [this](const char* name) -> const std::vector<float>& {
        const auto found = cells.find(name);
        return found == cells.end() ? none : found->second;
    };
    return is_box({x_edges, y_edges, z_edges, of_cells("cell_volume"), of_cells("cell_centre_x"),
                   of_cells("cell_centre_y"), of_cells("cell_centre_z")});
}

StoredGrid box_shape(const CornerPointGrid& grid, const std::string& name) {
    if (grid.is_cylindrical()) {
        throw InvalidData(
            name +
            ": a cylindrical grid with several cells around the axis (a box has straight edges); import a "
            "grid with one cell along the angle as a radial one");
    }
    const Point origin = origin_of(grid, name);
    StoredGrid shape;
    shape.notes = notes_on_shapes(grid, name);
    shape.geometry = Geometry::cartesian;
    shape.top = origin.z;
    shape.origin = fmt::format("x {:.10g} m, y {:.10g} m, depth {:.10g} m", origin.x, origin.y, origin.z);
    std::array<MeanWidths, 3> mean_widths = {MeanWidths(grid.nx()), MeanWidths(grid.ny()), MeanWidths(grid.nz())};
    std::array<std::vector<float>, 4> values;
    for (auto& list : values) {
        list.resize(static_cast<std::size_t>(grid.cells()));
    }
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t j = 0; j < grid.ny(); ++j) {
            for (std::int64_t i = 0; i < grid.nx(); ++i) {
                const auto cell = static_cast<std::size_t>(grid.index(i, j, k));
                if (!grid.has_corners(i, j, k)) {
                    continue;
                }
                const Corners corners = grid.corners(i, j, k);
                const Point middle = eclipse::centre(corners_on_map(grid, i, j, k));
                const double volume = height_of(corners) < 0.0 ? 0.0 : eclipse::volume(corners);
                const std::array<double, 4> of_cell = {volume, middle.x - origin.x, middle.y - origin.y,
                                                       middle.z - origin.z};
                for (std::size_t which = 0; which < 4; ++which) {
                    values[which][cell] = static_cast<float>(of_cell[which]);
                }
                if (grid.active()[cell] != 0 && of_cell[0] > 0.0) {
                    const auto width = widths(corners);
                    mean_widths[0].add(i, width[0]);
                    mean_widths[1].add(j, width[1]);
                    mean_widths[2].add(k, width[2]);
                }
            }
        }
    }
    shape.x_edges = mean_widths[0].edges();
    shape.y_edges = mean_widths[1].edges();
    shape.z_edges = mean_widths[2].edges();
    const char* names[] = {"cell_volume", "cell_centre_x", "cell_centre_y", "cell_centre_z"};
    for (std::size_t which = 0; which < 4; ++which) {
        shape.cells.emplace(names[which], std::move(values[which]));
    }
    if (!grid.pillars().empty() && !shape.is_plain_box()) {
        add_corner_points(shape, grid, origin);
    }
    return shape;
}

}  // namespace plumecast
