#include "reservoir/metrics/column_shares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/metrics/cell_geometry.hpp"
#include "reservoir/metrics/polygon_share.hpp"

namespace plumecast {
namespace {

std::vector<Parallelogram> columns_of_box(const Dataset& dataset) {
    std::vector<Parallelogram> columns;
    const std::vector<double>&x = dataset.x_edges(), &y = dataset.y_edges();
    const GridPlace place = dataset.place().origin ? dataset.place() : GridPlace();  // else coordinates of the grid
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const auto corner = place.on_map(x[i], y[j]);
            const auto next = place.on_map(x[i + 1], y[j]), beyond = place.on_map(x[i], y[j + 1]);
            columns.push_back(
                {corner, {next[0] - corner[0], next[1] - corner[1]}, {beyond[0] - corner[0], beyond[1] - corner[1]}});
        }
    }
    return columns;
}

/// Around the centres of the columns, which count from the origin along the axes of the map.
std::vector<Parallelogram> columns_of_corner_points(const Dataset& dataset) {
    const ColumnPlaces places =
        column_places(dataset.x_edges(), dataset.y_edges(), dataset.cell_values("cell_volume"),
                      dataset.cell_values("cell_centre_x"), dataset.cell_values("cell_centre_y"));
    const std::array<double, 2> origin = dataset.place().origin.value_or(std::array<double, 2>{0.0, 0.0});
    std::vector<Parallelogram> columns;
    for (std::size_t column = 0; column < places.x.size(); ++column) {
        const auto &one = places.along_x[column], &other = places.along_y[column];
        columns.push_back({{origin[0] + places.x[column] - 0.5 * (one[0] + other[0]),
                            origin[1] + places.y[column] - 0.5 * (one[1] + other[1])},
                           one,
                           other});
    }
    return columns;
}

bool has_own_centres(const Dataset& dataset) {
    return !dataset.cell_values("cell_volume").empty() && !dataset.cell_values("cell_centre_x").empty() &&
           !is_box(dataset);
}

std::vector<Parallelogram> columns_of(const Dataset& dataset) {
    return has_own_centres(dataset) ? columns_of_corner_points(dataset) : columns_of_box(dataset);
}

/// "x 0 to 3000 m, y 0 to 2500 m" of all columns.
std::string extent_text(const std::vector<Parallelogram>& columns) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 2> low = {infinity, infinity}, high = {-infinity, -infinity};
    for (const auto& [corner, along_x, along_y] : columns) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double ends = corner[axis] + std::min(0.0, along_x[axis]) + std::min(0.0, along_y[axis]);
            low[axis] = std::min(low[axis], ends);
            high[axis] = std::max(high[axis], ends + std::abs(along_x[axis]) + std::abs(along_y[axis]));
        }
    }
    return fmt::format("x {:.10g} to {:.10g} m, y {:.10g} to {:.10g} m", low[0], high[0], low[1], high[1]);
}

/// How far a place lies from the middle of a column, in shares of its sides: up to 0.5 within it.
double distance_within(const Parallelogram& column, std::span<const double> place) {
    const auto& [corner, x, y] = column;
    const double along = place[0] - corner[0], across = place[1] - corner[1], area = x[0] * y[1] - x[1] * y[0];
    const double of_x = (along * y[1] - across * y[0]) / area, of_y = (across * x[0] - along * x[1]) / area;
    return std::max(std::abs(of_x - 0.5), std::abs(of_y - 0.5));
}

std::size_t ring_at(const Dataset& dataset, double distance) {
    const std::vector<double>& edges = dataset.r_edges();
    if (!(distance >= 0.0 && distance <= edges.back())) {
        throw InvalidInput(fmt::format("the place is {:.10g} m from the well (the rings of {} reach to {:.10g} m)",
                                       distance, dataset.path(), edges.back()));
    }
    const auto beyond = std::upper_bound(edges.begin() + 1, edges.end() - 1, distance);
    return static_cast<std::size_t>(beyond - edges.begin()) - 1;
}

}  // namespace

std::vector<double> shares_within(const Dataset& dataset, const MapPolygon& area) {
    if (dataset.geometry() != Geometry::cartesian) {
        throw InvalidData(
            dataset.path() +
            ": has a radial grid (a polygon is of a map, on which its rings lie nowhere); leave the polygon "
            "out");
    }
    const std::vector<Parallelogram> columns = columns_of(dataset);
    std::vector<double> shares;
    for (const Parallelogram& column : columns) {
        shares.push_back(share_within(column, area));
    }
    constexpr double touching = 1e-12;
    if (std::ranges::all_of(shares, [](double share) { return share < touching; })) {
        throw InvalidData(fmt::format(
            "{}: no part of its grid lies within the polygon ({} {}); correct the polygon's coordinates, or {}",
            dataset.path(),
            dataset.place().origin ? "the grid lies on the map at"
                                   : "the file states no origin, so that coordinates are those of the grid,",
            extent_text(columns),
            has_own_centres(dataset) ? "the attribute origin" : "the attributes origin and rotation"));
    }
    return shares;
}

std::vector<std::array<double, 2>> column_centres(const Dataset& dataset) {
    std::vector<std::array<double, 2>> centres;
    for (const auto& [corner, along_x, along_y] : columns_of(dataset)) {
        centres.push_back({corner[0] + 0.5 * (along_x[0] + along_y[0]), corner[1] + 0.5 * (along_x[1] + along_y[1])});
    }
    return centres;
}

std::size_t column_at(const Dataset& dataset, std::span<const double> place) {
    const bool is_radial = dataset.geometry() == Geometry::radial;
    if (place.size() != (is_radial ? 1 : 2)) {
        throw InvalidInput(fmt::format("the place has {} numbers ({} has {})", place.size(), dataset.path(),
                                       is_radial ? "rings, where one, the distance from the well, is a place"
                                                 : "columns, where two, x and y, are a place"));
    }
    if (is_radial) {
        return ring_at(dataset, place[0]);
    }
    constexpr double within = 0.5 + 1e-9, skewed = 0.6;  // columns around centres leave gaps between them
    const std::vector<Parallelogram> columns = columns_of(dataset);
    std::vector<double> distances;
    for (const Parallelogram& column : columns) {
        distances.push_back(distance_within(column, place));
    }
    const auto nearest = std::ranges::min_element(distances);
    if (!(*nearest <= (has_own_centres(dataset) ? skewed : within))) {
        throw InvalidInput(fmt::format("the place x {:.10g} m, y {:.10g} m lies outside of the grid of {} ({})",
                                       place[0], place[1], dataset.path(), extent_text(columns)));
    }
    return static_cast<std::size_t>(nearest - distances.begin());
}

}  // namespace plumecast
