#include "reservoir/metrics/cell_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

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

/// What lies from a well to a column, along the axes of the grid.
struct Displacement {
    double x = 0.0, y = 0.0;
};

/// Between the places of two columns, with the signs of their indices.
Displacement between(const ColumnPlaces& places, std::size_t column, std::size_t well, std::size_t nx) {
    const double dx = places.x[column] - places.x[well], dy = places.y[column] - places.y[well];
    const auto sign = [](std::size_t one, std::size_t other) { return one < other ? -1.0 : 1.0; };
    return {sign(column % nx, well % nx) * std::abs(dx * places.cosine + dy * places.sine),
            sign(column / nx, well / nx) * std::abs(dy * places.cosine - dx * places.sine)};
}

/// The column next to a column of a box in the direction of the well.
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

/// What lies between the columns around a column along an axis of the indices, per column; nothing where none beside it
/// has volume.
std::optional<Displacement> step_along(const ColumnPlaces& places, const std::vector<char>& is_there,
                                       std::size_t column, std::size_t stride, std::size_t place, std::size_t count) {
    const std::size_t before = place > 0 && is_there[column - stride] != 0 ? column - stride : column;
    const std::size_t behind = place + 1 < count && is_there[column + stride] != 0 ? column + stride : column;
    if (before == behind) {
        return std::nullopt;
    }
    const auto columns = static_cast<double>((behind - before) / stride);
    return Displacement{(places.x[behind] - places.x[before]) / columns,
                        (places.y[behind] - places.y[before]) / columns};
}

}  // namespace

ColumnPlaces column_places(std::span<const double> x_edges, std::span<const double> y_edges,
                           std::span<const float> volumes, std::span<const float> centre_x,
                           std::span<const float> centre_y) {
    const std::size_t nx = x_edges.size() - 1, ny = y_edges.size() - 1, columns = nx * ny;
    ColumnPlaces places;
    std::vector<char> is_there(columns, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        double x = 0.0, y = 0.0, count = 0.0;
        for (std::size_t cell = column; cell < volumes.size(); cell += columns) {
            if (volumes[cell] > 0.0F) {
                x += static_cast<double>(centre_x[cell]);
                y += static_cast<double>(centre_y[cell]);
                count += 1.0;
            }
        }
        is_there[column] = count > 0.0 ? 1 : 0;
        places.x.push_back(count > 0.0 ? x / count : middle(x_edges, column % nx));
        places.y.push_back(count > 0.0 ? y / count : middle(y_edges, column / nx));
    }
    Displacement along{};
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t i = column % nx, j = column / nx;
        const double width_x = x_edges[i + 1] - x_edges[i], width_y = y_edges[j + 1] - y_edges[j];
        const auto step_x = is_there[column] != 0 ? step_along(places, is_there, column, 1, i, nx) : std::nullopt;
        const auto step_y = is_there[column] != 0 ? step_along(places, is_there, column, nx, j, ny) : std::nullopt;
        if (step_x) {
            along = {along.x + step_x->x, along.y + step_x->y};
        }
        const Displacement one = step_x.value_or(Displacement{width_x, 0.0});
        const Displacement other = step_y.value_or(Displacement{0.0, width_y});
        places.along_x.push_back({one.x, one.y});
        places.along_y.push_back({other.x, other.y});
        const double area = std::abs(one.x * other.y - one.y * other.x);
        places.areas.push_back(area > 0.0 ? area : width_x * width_y);
    }
    if (const double length = std::hypot(along.x, along.y); length > 0.0) {
        places.cosine = along.x / length;
        places.sine = along.y / length;
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
        const double half_x = 0.5 * (x_edges[x + 1] - x_edges[x]);
        const double half_y = 0.5 * (y_edges[y + 1] - y_edges[y]);
        double reach = wells.empty() ? 0.0 : std::numeric_limits<double>::infinity();
        double centre = reach;
        double near = reach;
        std::size_t inner = column;
        for (const std::size_t well : wells) {
            const auto [dx, dy] = places != nullptr ? between(*places, column, well, nx)
                                                    : Displacement{middle(x_edges, x) - middle(x_edges, well % nx),
                                                                   middle(y_edges, y) - middle(y_edges, well / nx)};
            if (std::hypot(dx, dy) < centre) {
                centre = std::hypot(dx, dy);
                inner = towards(column, well, nx, dx, dy);
            }
            near =
                std::min(near, std::hypot(std::max(0.0, std::abs(dx) - half_x), std::max(0.0, std::abs(dy) - half_y)));
            reach = std::min(reach, std::hypot(std::abs(dx) + half_x, std::abs(dy) + half_y));
        }
        geometry.areas.push_back(places != nullptr ? places->areas[column] : 4.0 * half_x * half_y);
        geometry.centres.push_back(centre);
        geometry.reaches.push_back(reach);
        geometry.nears.push_back(near);
        geometry.inner.push_back(inner);
    }
    fill_volumes(geometry);
    return geometry;
}

}  // namespace plumecast
