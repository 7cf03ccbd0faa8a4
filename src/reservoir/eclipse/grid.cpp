#include <cmath>
#include <numbers>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/grid.hpp"

namespace plumecast::eclipse {
namespace {

constexpr double most_cells = 1099511627776.0;  // 2^40, far from where counts of bytes would overflow

void check_size(std::array<std::int64_t, 3> extents, std::size_t values, std::int64_t per_cell) {
    const double cells =
        static_cast<double>(extents[0]) * static_cast<double>(extents[1]) * static_cast<double>(extents[2]);
    if (extents[0] < 1 || extents[1] < 1 || extents[2] < 1 || cells > most_cells) {
        throw InvalidInput("a grid of " + std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " +
                           std::to_string(extents[2]) + " cells (extents are 1 or more); correct its extents");
    }
    if (static_cast<double>(values) != cells * static_cast<double>(per_cell)) {
        throw InvalidInput("a grid of " + std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " +
                           std::to_string(extents[2]) + " cells with " + std::to_string(values) +
                           " corner values (it needs " + std::to_string(per_cell) + " per cell); complete it");
    }
}

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator*(double f, Point a) { return {f * a.x, f * a.y, f * a.z}; }

double determinant(Point a, Point b, Point c) {
    return a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x);
}

}  // namespace

CornerPointGrid CornerPointGrid::of_pillars(std::array<std::int64_t, 3> extents, std::vector<double> pillars,
                                            std::vector<double> depths) {
    check_size(extents, depths.size(), 8);
    if (static_cast<std::int64_t>(pillars.size()) != 6 * (extents[0] + 1) * (extents[1] + 1)) {
        throw InvalidInput("a grid with " + std::to_string(pillars.size()) +
                           " pillar values (it needs 6 per corner of the map); complete it");
    }
    CornerPointGrid grid;
    grid.extents_ = extents;
    grid.pillars_ = std::move(pillars);
    grid.depths_ = std::move(depths);
    grid.active_.assign(static_cast<std::size_t>(grid.cells()), 1);
    return grid;
}

CornerPointGrid CornerPointGrid::of_some_corners(std::array<std::int64_t, 3> extents, std::vector<double> corners,
                                                 std::vector<std::int64_t> places) {
    check_size(extents, places.size(), 1);
    const auto held = static_cast<std::int64_t>(corners.size() / 24);
    CornerPointGrid grid;
    grid.extents_ = extents;
    for (const std::int64_t place : places) {
        if (place >= held) {
            throw InvalidInput("a grid whose cell takes corners " + std::to_string(place) + " of " +
                               std::to_string(held) + " (each cell has corners of its own); complete them");
        }
        grid.active_.push_back(place >= 0 ? 1 : 0);
    }
    grid.corners_ = std::move(corners);
    grid.places_ = std::move(places);
    return grid;
}

void CornerPointGrid::set_active(std::vector<std::uint8_t> active) {
    if (static_cast<std::int64_t>(active.size()) != cells()) {
        throw InvalidInput("a grid of " + std::to_string(cells()) + " cells with " + std::to_string(active.size()) +
                           " marks of active cells (it needs one per cell); complete them");
    }
    active_ = std::move(active);
}

template <class Number>
Corners corners_on_pillars(const std::array<std::int64_t, 3>& extents, const std::vector<Number>& pillars,
                           const std::vector<Number>& depths, CellIndex cell) {
    Corners result;
    for (std::int64_t c = 0; c < 8; ++c) {
        const std::int64_t i = cell.i + (c & 1);
        const std::int64_t j = cell.j + ((c >> 1) & 1);
        const std::int64_t layer = 2 * cell.k + (c >> 2);
        const std::int64_t at = (layer * 2 * extents[1] + cell.j + j) * 2 * extents[0] + cell.i + i;
        const auto depth = static_cast<double>(depths[static_cast<std::size_t>(at)]);
        const Number* pillar = pillars.data() + 6 * (j * (extents[0] + 1) + i);
        const auto end = [&](int axis) { return static_cast<double>(pillar[axis]); };
        const double height = end(5) - end(2);
        const double t = height == 0.0 ? 0.0 : (depth - end(2)) / height;
        result[static_cast<std::size_t>(c)] = {end(0) + t * (end(3) - end(0)), end(1) + t * (end(4) - end(1)), depth};
    }
    return result;
}

template Corners corners_on_pillars(const std::array<std::int64_t, 3>&, const std::vector<float>&,
                                    const std::vector<float>&, CellIndex);
template Corners corners_on_pillars(const std::array<std::int64_t, 3>&, const std::vector<double>&,
                                    const std::vector<double>&, CellIndex);

Corners CornerPointGrid::corners(std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (corners_.empty() && places_.empty()) {
        return corners_on_pillars(extents_, pillars_, depths_, {i, j, k});
    }
    Corners result;
    if (!has_corners(i, j, k)) {
        return result;
    }
    const std::int64_t cell = index(i, j, k);
    const double* at = corners_.data() + 24 * (places_.empty() ? cell : places_[static_cast<std::size_t>(cell)]);
    for (std::size_t c = 0; c < 8; ++c) {
        result[c] = {at[3 * c], at[3 * c + 1], at[3 * c + 2]};
    }
    return result;
}

Point MapAxes::on_map(Point point) const {
    return {origin[0] + point.x * along_x[0] + point.y * along_y[0],
            origin[1] + point.x * along_x[1] + point.y * along_y[1], point.z};
}

std::optional<MapAxes> map_axes_of(std::span<const double> points, double metres, const std::string& place) {
    if (points.size() != 6) {
        throw InvalidData(place + ": MAPAXES with " + std::to_string(points.size()) +
                          " values (it is three points of the map, x and y of each); correct or remove it");
    }
    const std::array<double, 2> to_y = {points[0] - points[2], points[1] - points[3]};
    const std::array<double, 2> to_x = {points[4] - points[2], points[5] - points[3]};
    const double length_x = std::hypot(to_x[0], to_x[1]), length_y = std::hypot(to_y[0], to_y[1]);
    if (length_x == 0.0 && length_y == 0.0) {
        return std::nullopt;
    }
    const double cosine = (to_x[0] * to_y[0] + to_x[1] * to_y[1]) / (length_x * length_y);
    constexpr double most_cosine = 0.01;  // half a degree; files hold single precision
    if (!(std::abs(cosine) <= most_cosine)) {
        throw InvalidData(place +
                          ": MAPAXES whose axes are not perpendicular (no rotation brings the grid onto the map); "
                          "correct or remove it");
    }
    return MapAxes{{points[2] * metres, points[3] * metres},
                   {to_x[0] / length_x, to_x[1] / length_x},
                   {to_y[0] / length_y, to_y[1] / length_y}};
}

double signed_volume(const Corners& p) {
    const double near = 0.5 - 0.5 / std::sqrt(3.0);
    const std::array<double, 2> nodes = {near, 1.0 - near};
    double sum = 0.0;
    for (const double u : nodes) {
        for (const double v : nodes) {
            for (const double w : nodes) {
                const auto blend = [](double a, double b, Point p00, Point p10, Point p01, Point p11) {
                    return (1 - a) * (1 - b) * p00 + a * (1 - b) * p10 + (1 - a) * b * p01 + a * b * p11;
                };
                const auto edge = [&](std::size_t from, std::size_t to) { return p[to] + -1.0 * p[from]; };
                const Point du = blend(v, w, edge(0, 1), edge(2, 3), edge(4, 5), edge(6, 7));
                const Point dv = blend(u, w, edge(0, 2), edge(1, 3), edge(4, 6), edge(5, 7));
                const Point dw = blend(u, v, edge(0, 4), edge(1, 5), edge(2, 6), edge(3, 7));
                sum += determinant(du, dv, dw) / 8.0;
            }
        }
    }
    return sum;
}

double CornerPointGrid::volume(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const Corners cell = corners(i, j, k);
    const double length_per_angle = is_cylindrical_ ? centre(cell).x * std::numbers::pi / 180.0 : 1.0;
    return length_per_angle * eclipse::volume(cell);
}

double volume(const Corners& corners) { return std::abs(signed_volume(corners)); }

Point centre(const Corners& corners) {
    Point sum;
    for (const Point& corner : corners) {
        sum = sum + corner;
    }
    return 0.125 * sum;
}

}  // namespace plumecast::eclipse
