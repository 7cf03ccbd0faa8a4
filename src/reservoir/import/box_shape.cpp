#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/import/grid_shape.hpp"

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

/// How far the bottom of a cell lies below its top.
double height_of(const Corners& c) { return mean(c, {4, 5, 6, 7}).z - mean(c, {0, 1, 2, 3}).z; }

/// Twice the area of a cell on the map: negative where its y axis lies to the right of its x axis.
double turn_of(const Corners& c) {
    const Point x{c[1].x - c[0].x + c[3].x - c[2].x, c[1].y - c[0].y + c[3].y - c[2].y, 0.0};
    const Point y{c[2].x - c[0].x + c[3].x - c[1].x, c[2].y - c[0].y + c[3].y - c[1].y, 0.0};
    return x.x * y.y - x.y * y.x;
}

/// Calls `see(i, j, k, corners)` for each active cell.
void for_active_cells(const CornerPointGrid& grid, const auto& see) {
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t j = 0; j < grid.ny(); ++j) {
            for (std::int64_t i = 0; i < grid.nx(); ++i) {
                if (grid.active()[static_cast<std::size_t>(grid.index(i, j, k))] != 0) {
                    see(i, j, k, grid.corners(i, j, k));
                }
            }
        }
    }
}

/// All cells of a grid turn the same way on the map; a few may be folded at faults.
void refuse_mixed_turns(const CornerPointGrid& grid, const std::string& name) {
    constexpr double most_folded = 0.02;  // of the cells
    std::int64_t left = 0;
    std::int64_t right = 0;
    for_active_cells(grid, [&](auto, auto, auto, const Corners& corners) {
        const double turn = turn_of(corners);
        left += turn > 0.0 ? 1 : 0;
        right += turn < 0.0 ? 1 : 0;
    });
    if (static_cast<double>(std::min(left, right)) > most_folded * static_cast<double>(left + right)) {
        throw InvalidData(
            fmt::format("{}: {} of {} active cells are turned inside out on the map (the pillars do not stand in the "
                        "order of the grid, or its extents along i and j are exchanged); correct SPECGRID or COORD",
                        name, std::min(left, right), left + right));
    }
}

/// What is to be said of cells whose bottom lies below the top of the cell beneath; nothing for none.
std::vector<std::string> notes_on_overlaps(const CornerPointGrid& grid) {
    constexpr double least_overlap = 0.01;  // of the height of the cell
    std::int64_t count = 0;
    double most = 0.0;
    for_active_cells(grid, [&](std::int64_t i, std::int64_t j, std::int64_t k, const Corners& corners) {
        const bool has_lower = k + 1 < grid.nz() && grid.has_corners(i, j, k + 1) &&
                               grid.active()[static_cast<std::size_t>(grid.index(i, j, k + 1))] != 0;
        const double bottom = mean(corners, {4, 5, 6, 7}).z;
        const double overlap = has_lower ? bottom - mean(grid.corners(i, j, k + 1), {0, 1, 2, 3}).z : 0.0;
        if (overlap > least_overlap * std::abs(height_of(corners)) && height_of(corners) > 0.0) {
            ++count;
            most = std::max(most, overlap);
        }
    });
    if (count == 0) {
        return {};
    }
    return {fmt::format(
        "{} the top of the cell beneath, by up to {:.3g} m (layers overlap, and their volumes count twice there; "
        "simulators move such corners)",
        count == 1 ? "1 cell reaches below" : fmt::format("{} cells reach below", count), most)};
}

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

}  // namespace

std::int64_t inverted_cells(const CornerPointGrid& grid, const std::string& name) {
    std::int64_t upright = 0;
    std::int64_t inverted = 0;
    double first = 0.0;
    double last = 0.0;
    for (std::int64_t k = 0; k < grid.nz(); ++k) {
        for (std::int64_t j = 0; j < grid.ny(); ++j) {
            for (std::int64_t i = 0; i < grid.nx(); ++i) {
                if (grid.active()[static_cast<std::size_t>(grid.index(i, j, k))] == 0) {
                    continue;
                }
                const Corners corners = grid.corners(i, j, k);
                const double height = height_of(corners);
                upright += height > 0.0 ? 1 : 0;
                inverted += height < 0.0 ? 1 : 0;
                last = eclipse::centre(corners).z;
                first = upright + inverted == 1 ? last : first;
            }
        }
    }
    if (inverted > upright) {
        throw InvalidData(
            fmt::format("{}: layers are numbered upwards, or depths count upwards ({} of {} active cells have their "
                        "bottom above their "
                        "top, from {:.6g} m to {:.6g} m; rows of a data set go down); write layer 1 as the uppermost, "
                        "with depths that "
                        "grow downwards",
                        name, inverted, upright + inverted, first, last));
    }
    return inverted;
}

StoredGrid box_shape(const CornerPointGrid& grid, const std::string& name) {
    if (grid.is_cylindrical()) {
        throw InvalidData(
            name +
            ": a cylindrical grid with several cells around the axis (a box has straight edges); import a "
            "grid with one cell along the angle as a radial one");
    }
    const Point origin = origin_of(grid, name);
    const std::int64_t inverted = inverted_cells(grid, name);
    refuse_mixed_turns(grid, name);
    StoredGrid shape;
    shape.notes = notes_on_overlaps(grid);
    if (inverted > 0) {
        shape.notes.push_back(
            fmt::format("{} left out whose bottom lies above the top (overlapping layers): as in "
                        "simulators no volume is left there",
                        inverted == 1 ? "1 cell is" : fmt::format("{} cells are", inverted)));
    }
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
    return shape;
}

}  // namespace plumecast
