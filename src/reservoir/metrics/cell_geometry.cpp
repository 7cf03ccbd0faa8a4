#include "reservoir/metrics/cell_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "reservoir/metrics/mass_balance.hpp"

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

double middle(std::span<const double> edges, std::size_t i) { return 0.5 * (edges[i] + edges[i + 1]); }

/// What lies from one point of the map to another.
struct Displacement {
    double x = 0.0, y = 0.0;

    double length() const { return std::hypot(x, y); }
    Displacement operator+(Displacement other) const { return {x + other.x, y + other.y}; }
    Displacement operator-(Displacement other) const { return {x - other.x, y - other.y}; }
    Displacement operator*(double factor) const { return {x * factor, y * factor}; }
};

double cross(Displacement a, Displacement b) { return a.x * b.y - a.y * b.x; }

/// A column seen from a well: its centre, and half of what lies between the middles of opposite sides.
struct ColumnShape {
    Displacement centre, half_x, half_y;

    std::array<Displacement, 4> corners() const {
        return {centre - half_x - half_y, centre + half_x - half_y, centre + half_x + half_y, centre - half_x + half_y};
    }
    bool holds_the_well() const {
        const double area = std::abs(cross(half_x, half_y));
        return std::abs(cross(centre, half_y)) <= area && std::abs(cross(half_x, centre)) <= area;
    }
    /// Distance from the well to the nearest point; 0 where the well stands in it.
    double near() const {
        if (holds_the_well()) {
            return 0.0;
        }
        double least = std::numeric_limits<double>::infinity();
        const auto around = corners();
        for (std::size_t i = 0; i < around.size(); ++i) {
            const Displacement from = around[i], side = around[(i + 1) % around.size()] - from;
            const double along = -(from.x * side.x + from.y * side.y) / (side.x * side.x + side.y * side.y);
            least = std::min(least, (from + side * std::clamp(along, 0.0, 1.0)).length());
        }
        return least;
    }
    /// Distance from the well to the farthest corner.
    double reach() const {
        double most = 0.0;
        for (const Displacement corner : corners()) {
            most = std::max(most, corner.length());
        }
        return most;
    }
};

/// The column next to a column in the direction of the well, from which it lies `dx` and `dy` away in the box of the
/// edges: a step along an index in which they agree would leave the grid.
std::size_t towards(std::size_t column, std::size_t well, std::size_t nx, double dx, double dy) {
    constexpr double diagonal = 0.41421356;  // tangent of half of 45 degrees: eight directions of equal width
    std::size_t x = column % nx;
    std::size_t y = column / nx;
    if (std::abs(dx) >= diagonal * std::abs(dy)) {
        x = dx > 0.0 ? x - 1 : dx < 0.0 ? x + 1 : x;
    }
    if (std::abs(dy) >= diagonal * std::abs(dx)) {
        y = dy > 0.0 ? y - 1 : dy < 0.0 ? y + 1 : y;
    }
    return column == well ? column : y * nx + x;
}

}  // namespace

double CellGeometry::within(std::size_t column, double share) const {
    const double near = nears[column];
    const double far = reaches[column];
    if (share >= 1.0) {
        return far;
    }
    return is_radial ? std::sqrt(near * near + share * (far * far - near * near)) : near + share * (far - near);
}

double CellGeometry::share_within(std::size_t column, double distance) const {
    const double near = nears[column];
    const double far = reaches[column];
    if (!(far > near)) {  // a map without wells has no distances
        return distance >= far ? 1.0 : 0.0;
    }
    const double share =
        is_radial ? (distance * distance - near * near) / (far * far - near * near) : (distance - near) / (far - near);
    return std::clamp(share, 0.0, 1.0);
}

CellGeometry radial_geometry(std::span<const double> r_edges, std::span<const double> z_edges) {
    CellGeometry geometry;
    geometry.volumes = cell_volumes(r_edges, z_edges);
    geometry.is_radial = true;
    geometry.rows = z_edges.size() - 1;
    geometry.columns = r_edges.size() - 1;
    geometry.depths.assign(z_edges.begin(), z_edges.end());
    for (std::size_t r = 0; r < geometry.columns; ++r) {
        const double inner = r_edges[r];
        const double outer = r_edges[r + 1];
        geometry.areas.push_back(std::numbers::pi * (outer * outer - inner * inner));
        geometry.reaches.push_back(outer);
        geometry.nears.push_back(inner);
        geometry.inner.push_back(r > 0 ? r - 1 : 0);
        geometry.centres.push_back(0.5 * (inner + outer));
    }
    return geometry;
}

namespace {

/// The turn, or the turn and reflection, and the shift that bring the middles of a box nearest to the centres of its
/// columns (least squares).
class BoxFit {
   public:
    void add(Displacement middle, Displacement centre) { pairs_.push_back({middle, centre}); }
    void solve() {
        for (const auto& [middle, centre] : pairs_) {
            const double share = 1.0 / static_cast<double>(pairs_.size());
            from_ = from_ + middle * share;
            to_ = to_ + centre * share;
        }
        Displacement turned{}, reflected{};  // cosine and sine of each, times what they bring together
        for (const auto& [middle, centre] : pairs_) {
            const Displacement a = middle - from_, b = centre - to_;
            turned = turned + Displacement{a.x * b.x + a.y * b.y, cross(a, b)};
            reflected = reflected + Displacement{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
        }
        constexpr double rounding = 1.0 + 1e-9;  // of a single line of columns both are the same
        handedness_ = reflected.length() > rounding * turned.length() ? -1.0 : 1.0;
        const Displacement found = handedness_ < 0.0 ? reflected : turned;
        along_x_ = found.length() > 0.0 ? found * (1.0 / found.length()) : along_x_;
    }
    /// The direction of the x axis on the map, and for a direction of one axis that of the other.
    Displacement along_x() const { return along_x_; }
    Displacement y_across(Displacement x) const { return Displacement{-x.y, x.x} * handedness_; }
    Displacement x_across(Displacement y) const { return Displacement{y.y, -y.x} * handedness_; }
    Displacement on_map(Displacement middle) const {
        const Displacement offset = middle - from_;
        return to_ + along_x_ * offset.x + y_across(along_x_) * offset.y;
    }

   private:
    std::vector<std::pair<Displacement, Displacement>> pairs_;
    Displacement from_{}, to_{}, along_x_{1.0, 0.0};
    double handedness_ = 1.0;
};

/// What lies between the columns around a column along an axis of the indices, per column; nothing where none beside it
/// has volume, or is at the same place.
std::optional<Displacement> step_along(const ColumnPlaces& places, const std::vector<char>& is_there,
                                       std::size_t column, std::size_t stride, std::size_t place, std::size_t count) {
    const std::size_t before = place > 0 && is_there[column - stride] != 0 ? column - stride : column;
    const std::size_t behind = place + 1 < count && is_there[column + stride] != 0 ? column + stride : column;
    if (before == behind) {
        return std::nullopt;
    }
    const std::size_t between = (behind - before) / stride;  // one or two columns, without a rest
    const auto columns = static_cast<double>(between);
    const Displacement step{(places.x[behind] - places.x[before]) / columns,
                            (places.y[behind] - places.y[before]) / columns};
    return step.length() > 0.0 ? std::optional(step) : std::nullopt;
}

}  // namespace

ColumnPlaces column_places(std::span<const double> x_edges, std::span<const double> y_edges,
                           std::span<const float> volumes, std::span<const float> centre_x,
                           std::span<const float> centre_y) {
    constexpr double flat = 1e-6;  // sine of an angle between sides that encloses no area
    const std::size_t nx = x_edges.size() - 1, ny = y_edges.size() - 1, columns = nx * ny;
    ColumnPlaces places;
    std::vector<char> is_there(columns, 0);
    BoxFit fit;
    const auto middle_of = [&](std::size_t column) {
        return Displacement{middle(x_edges, column % nx), middle(y_edges, column / nx)};
    };
    for (std::size_t column = 0; column < columns; ++column) {
        Displacement sum{};
        double count = 0.0;
        for (std::size_t cell = column; cell < volumes.size(); cell += columns) {
            if (volumes[cell] > 0.0F) {
                sum = sum + Displacement{static_cast<double>(centre_x[cell]), static_cast<double>(centre_y[cell])};
                count += 1.0;
            }
        }
        is_there[column] = count > 0.0 ? 1 : 0;
        places.x.push_back(sum.x / std::max(count, 1.0));
        places.y.push_back(sum.y / std::max(count, 1.0));
        if (count > 0.0) {
            fit.add(middle_of(column), {places.x.back(), places.y.back()});
        }
    }
    fit.solve();
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t i = column % nx, j = column / nx;
        const double width_x = x_edges[i + 1] - x_edges[i], width_y = y_edges[j + 1] - y_edges[j];
        std::optional<Displacement> x, y;
        if (is_there[column] != 0) {
            x = step_along(places, is_there, column, 1, i, nx);
            y = step_along(places, is_there, column, nx, j, ny);
        } else {
            const Displacement place = fit.on_map(middle_of(column));
            places.x[column] = place.x;
            places.y[column] = place.y;
        }
        if (!x) {
            x = (y ? fit.x_across(*y * (1.0 / y->length())) : fit.along_x()) * width_x;
        }
        if (!y || std::abs(cross(*x, *y)) <= flat * x->length() * y->length()) {
            y = fit.y_across(*x * (1.0 / x->length())) * width_y;
        }
        places.along_x.push_back({x->x, x->y});
        places.along_y.push_back({y->x, y->y});
        places.areas.push_back(std::abs(cross(*x, *y)));
    }
    return places;
}

CellGeometry box_geometry(std::span<const double> x_edges, std::span<const double> y_edges,
                          std::span<const double> z_edges, std::span<const std::size_t> wells,
                          const ColumnPlaces* places) {
    CellGeometry geometry;
    const std::size_t nx = x_edges.size() - 1;
    geometry.rows = z_edges.size() - 1;
    geometry.columns = nx * (y_edges.size() - 1);
    geometry.depths.assign(z_edges.begin(), z_edges.end());
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        const std::size_t x = column % nx;
        const std::size_t y = column / nx;
        const double width_x = x_edges[x + 1] - x_edges[x], width_y = y_edges[y + 1] - y_edges[y];
        ColumnShape shape{{}, {0.5 * width_x, 0.0}, {0.0, 0.5 * width_y}};
        if (places != nullptr) {
            shape.half_x = Displacement{places->along_x[column][0], places->along_x[column][1]} * 0.5;
            shape.half_y = Displacement{places->along_y[column][0], places->along_y[column][1]} * 0.5;
        }
        double reach = wells.empty() ? 0.0 : std::numeric_limits<double>::infinity();
        double centre = reach;
        double near = reach;
        std::size_t inner = column;
        for (const std::size_t well : wells) {
            const Displacement between{middle(x_edges, x) - middle(x_edges, well % nx),
                                       middle(y_edges, y) - middle(y_edges, well / nx)};
            shape.centre = places == nullptr
                               ? between
                               : Displacement{places->x[column] - places->x[well], places->y[column] - places->y[well]};
            if (shape.centre.length() < centre) {
                centre = shape.centre.length();
                inner = towards(column, well, nx, between.x, between.y);
            }
            near = std::min(near, shape.near());
            reach = std::min(reach, shape.reach());
        }
        geometry.areas.push_back(places != nullptr ? places->areas[column] : width_x * width_y);
        geometry.centres.push_back(centre);
        geometry.reaches.push_back(reach);
        geometry.nears.push_back(near);
        geometry.inner.push_back(inner);
    }
    fill_volumes(geometry);
    return geometry;
}

}  // namespace plumecast
