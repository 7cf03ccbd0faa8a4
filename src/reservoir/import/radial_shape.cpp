#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/model_notes/cell_shapes.hpp"

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::Corners;
using eclipse::Point;

constexpr double relative_tolerance = 1e-5;  // files hold single precision
constexpr double depth_tolerance = 1e-6;     // of the depth
constexpr double least_depth_error = 1e-3;   // [m]

[[noreturn]] void not_radial(const std::string& name, const std::string& why) {
    throw InvalidData(name + ": the grid is not radial (" + why +
                      "); import it as a box, onto a grid of its own cells in three dimensions");
}

bool is_near(double a, double b, double scale) { return std::abs(a - b) <= relative_tolerance * std::abs(scale); }

bool is_unrolled(Point a, Point b) {
    const double half = std::numbers::pi * a.x;
    return is_near(a.x, b.x, a.x) && is_near(a.y, -half, half) && is_near(b.y, half, half);
}

/// Radius of the ring edge whose two pillars are at these places; nothing when they belong to no ring.
std::optional<double> radius_of(Point a, Point b, bool is_cylindrical) {
    if (is_cylindrical) {
        return is_near(a.x, b.x, a.x) ? std::optional(a.x) : std::nullopt;
    }
    if (is_unrolled(a, b)) {
        return a.x;
    }
    const double radius = std::hypot(a.x, a.y);
    const bool is_wedge = is_near(radius, std::hypot(b.x, b.y), radius) && std::hypot(a.x - b.x, a.y - b.y) > 0.0;
    return is_wedge ? std::optional(radius) : std::nullopt;
}

/// Share of the circle between the two pillars of the outermost edge.
double ring_share(const CornerPointGrid& grid, const std::string& name) {
    const Corners outer = grid.corners(grid.nx() - 1, 0, 0);
    const Point a = outer[1], b = outer[3];
    if (grid.is_cylindrical()) {
        const double angle = std::abs(b.y - a.y);
        if (angle > 360.0 * (1.0 + relative_tolerance)) {
            not_radial(name, fmt::format("its cells reach over {:g} degrees", angle));
        }
        return angle == 0.0 ? 1.0 : std::min(angle / 360.0, 1.0);  // a circle may end where it begins
    }
    const double angle = std::abs(std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y));
    return is_unrolled(a, b) ? 1.0 : angle / (2.0 * std::numbers::pi);
}

std::vector<double> ring_edges(const CornerPointGrid& grid, const std::string& name) {
    std::vector<double> edges;
    for (std::int64_t i = 0; i <= grid.nx(); ++i) {
        const std::size_t side = i == grid.nx() ? 1 : 0;
        const std::int64_t column = std::min(i, grid.nx() - 1);
        const Corners top = grid.corners(column, 0, 0);
        const Corners bottom = grid.corners(column, 0, grid.nz() - 1);
        const auto radius = radius_of(top[side], top[side + 2], grid.is_cylindrical());
        if (!radius || *radius < 0.0 || (!edges.empty() && *radius <= edges.back())) {
            not_radial(name, fmt::format("the pillars of column {} are no edge of a ring around the axis", i));
        }
        for (const std::size_t corner : {side, side + 2}) {
            if (std::hypot(top[corner].x - bottom[corner + 4].x, top[corner].y - bottom[corner + 4].y) >
                relative_tolerance * std::max(*radius, 1.0)) {
                not_radial(name, fmt::format("the pillars of column {} are not vertical", i));
            }
        }
        edges.push_back(*radius);
    }
    return edges;
}

/// Depths of the layers' edges.
std::vector<double> layer_depths(const CornerPointGrid& grid, const std::string& name) {
    std::vector<double> depths;
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        const Corners first = grid.corners(0, 0, k);
        const double top = first[0].z;
        const double bottom = first[4].z;
        const double tolerance = std::max(least_depth_error, depth_tolerance * std::abs(bottom));
        for (std::int64_t i = 0; i < grid.nx(); ++i) {
            const Corners corners = grid.corners(i, 0, k);
            for (std::size_t c = 0; c < 8; ++c) {
                if (std::abs(corners[c].z - (c < 4 ? top : bottom)) > tolerance) {
                    not_radial(name, fmt::format("layer {} is not horizontal", k + 1));
                }
            }
        }
        if (bottom - top <= tolerance || (!depths.empty() && std::abs(depths.back() - top) > tolerance)) {
            not_radial(name, fmt::format("layer {} has no thickness, or a gap above it", k + 1));
        }
        if (depths.empty()) {
            depths.push_back(top);
        }
        depths.push_back(bottom);
    }
    return depths;
}

bool has_active(const CornerPointGrid& grid, std::int64_t row) {
    const auto begin = grid.active().begin() + grid.index(0, 0, row);
    return std::any_of(begin, begin + grid.nx(), [](std::uint8_t mark) { return mark != 0; });
}

bool agree(const std::vector<double>& edges, const std::vector<double>& others, double absolute) {
    return edges.size() >= others.size() &&
           std::equal(others.begin(), others.end(), edges.begin(), [&](double other, double edge) {
               return std::abs(edge - other) <= std::max(absolute, relative_tolerance * std::abs(edge));
           });
}

/// Edges of as many cells, wherever they begin.
bool same_widths(const std::vector<double>& edges, const std::vector<double>& others) {
    constexpr double tolerance = 1e-3;
    for (std::size_t i = 1; i < edges.size(); ++i) {
        const double width = edges[i] - edges[i - 1];
        if (std::abs(others[i] - others[i - 1] - width) > tolerance * width) {
            return false;
        }
    }
    return true;
}

}  // namespace

StoredGrid radial_shape(const CornerPointGrid& grid, const std::string& name) {
    if (grid.ny() != 1) {
        not_radial(name, fmt::format("it has {} cells along j, a radial one has 1", grid.ny()));
    }
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t i = 0; i < grid.nx(); ++i) {
            if (!grid.has_corners(i, 0, k)) {
                not_radial(name, fmt::format("its file leaves out cell {} of layer {}", i + 1, k + 1));
            }
        }
    }
    inverted_cells(grid, name);
    StoredGrid shape;
    shape.r_edges = ring_edges(grid, name);
    shape.ring_share = ring_share(grid, name);
    const std::vector<double> depths = layer_depths(grid, name);
    while (shape.first_row < grid.nz() && !has_active(grid, shape.first_row)) {
        ++shape.first_row;
    }
    if (shape.first_row == grid.nz()) {
        throw InvalidData(name + ": no cell is active (ACTNUM or the pore volume is 0 everywhere); leave the case out");
    }
    shape.top = depths[static_cast<std::size_t>(shape.first_row)];
    for (std::size_t k = static_cast<std::size_t>(shape.first_row); k < depths.size(); ++k) {
        shape.z_edges.push_back(depths[k] - shape.top);
    }
    return shape;
}

std::vector<float> over_grid(const std::vector<double>& of_model, const StoredGrid& shape, const StoredGrid& grid) {
    const auto skipped = static_cast<std::size_t>(shape.model_cells() - shape.map_cells());
    std::vector<float> map(static_cast<std::size_t>(grid.map_cells()), 0.0F);
    for (std::size_t cell = skipped; cell < of_model.size() && cell - skipped < map.size(); ++cell) {
        map[cell - skipped] = static_cast<float>(of_model[cell]);
    }
    return map;
}

double ring_volume(const StoredGrid& shape, std::size_t cell) {
    const auto columns = static_cast<std::size_t>(shape.columns());
    const std::size_t row = cell / columns - static_cast<std::size_t>(shape.first_row), ring = cell % columns;
    const double inner = shape.r_edges[ring], outer = shape.r_edges[ring + 1];
    return shape.ring_share * std::numbers::pi * (outer - inner) * (outer + inner) *
           (shape.z_edges[row + 1] - shape.z_edges[row]);
}

double cell_depth(const StoredGrid& shape, std::size_t cell) {
    const auto depths = shape.cells.find("cell_centre_z");
    if (depths != shape.cells.end()) {
        return depths->second[cell];
    }
    const auto per_row = static_cast<std::size_t>(shape.lines() * shape.columns());
    const std::size_t row = cell / per_row - static_cast<std::size_t>(shape.first_row);
    return 0.5 * (shape.z_edges[row] + shape.z_edges[row + 1]);
}

void check_same(const StoredGrid& grid, const StoredGrid& of_case, const std::string& name, const std::string& first) {
    const auto refuse = [&](const std::string& why) {
        throw InvalidData(name + ": another grid than " + first + " (" + why +
                          "); the cases of a data set share one grid, import the others into a file of their own");
    };
    if (grid.geometry != of_case.geometry) {
        refuse("one is radial, the other is not");
    }
    const bool is_radial = grid.geometry == Geometry::radial;
    if (is_radial && (grid.r_edges.size() != of_case.r_edges.size() || !agree(grid.r_edges, of_case.r_edges, 0.0))) {
        refuse("the rings have other radii");
    }
    if (!is_radial && (grid.columns() != of_case.columns() || grid.lines() != of_case.lines())) {
        refuse("another number of cells");
    }
    if (!agree(grid.z_edges, of_case.z_edges, 5.0 * least_depth_error) ||
        (!is_radial && grid.rows() != of_case.rows())) {
        refuse("the layers have other depths below the top of the formation");
    }
    if (!is_radial && grid.cells.empty() &&
        !(same_widths(grid.x_edges, of_case.x_edges) && same_widths(grid.y_edges, of_case.y_edges))) {
        refuse("the cells have other widths");
    }
    for (const auto& [key, values] : grid.cells) {
        const auto found = of_case.cells.find(key);
        const std::vector<float> none;
        const std::vector<float>& others = found == of_case.cells.end() ? none : found->second;
        if (others.size() != values.size()) {
            refuse(key + " has other entries, or none");
        }
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            if (std::abs(values[cell] - others[cell]) > 1e-3F * std::max(std::abs(values[cell]), 1.0F)) {
                refuse(fmt::format("{} of cell {} differs", key, cell));
            }
        }
    }
}

}  // namespace plumecast
