#include "reservoir/metrics/column_shares.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/metrics/cell_geometry.hpp"

namespace plumecast {
namespace {

constexpr int points = 10;  // along each side of a column, in the middle of equal parts

/// A column on the map: one of its corners, and its sides.
struct Quadrilateral {
    std::array<double, 2> corner, along_x, along_y;

    double share_in(const MapPolygon& area) const {
        int inside = 0;
        for (int j = 0; j < points; ++j) {
            for (int i = 0; i < points; ++i) {
                const double u = (i + 0.5) / points, v = (j + 0.5) / points;
                inside += area.contains(corner[0] + u * along_x[0] + v * along_y[0],
                                        corner[1] + u * along_x[1] + v * along_y[1])
                              ? 1
                              : 0;
            }
        }
        return static_cast<double>(inside) / (points * points);
    }
};

std::vector<Quadrilateral> columns_of_box(const Dataset& dataset) {
    std::vector<Quadrilateral> columns;
    const std::vector<double>&x = dataset.x_edges(), &y = dataset.y_edges();
    const GridPlace& place = dataset.place();
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
std::vector<Quadrilateral> columns_of_corner_points(const Dataset& dataset) {
    const ColumnPlaces places =
        column_places(dataset.x_edges(), dataset.y_edges(), dataset.cell_values("cell_volume"),
                      dataset.cell_values("cell_centre_x"), dataset.cell_values("cell_centre_y"));
    const std::array<double, 2> origin = dataset.place().origin.value_or(std::array<double, 2>{0.0, 0.0});
    std::vector<Quadrilateral> columns;
    for (std::size_t column = 0; column < places.x.size(); ++column) {
        const auto &one = places.along_x[column], &other = places.along_y[column];
        columns.push_back({{origin[0] + places.x[column] - 0.5 * (one[0] + other[0]),
                            origin[1] + places.y[column] - 0.5 * (one[1] + other[1])},
                           one,
                           other});
    }
    return columns;
}

}  // namespace

std::vector<double> shares_within(const Dataset& dataset, const MapPolygon& area) {
    if (dataset.geometry() != Geometry::cartesian) {
        throw InvalidData(
            dataset.path() +
            ": has a radial grid (a polygon is of a map, on which its rings lie nowhere); leave the polygon "
            "out");
    }
    const bool has_centres =
        !dataset.cell_values("cell_volume").empty() && !dataset.cell_values("cell_centre_x").empty();
    std::vector<double> shares;
    for (const Quadrilateral& column :
         has_centres && !is_box(dataset) ? columns_of_corner_points(dataset) : columns_of_box(dataset)) {
        shares.push_back(column.share_in(area));
    }
    if (std::ranges::all_of(shares, [](double share) { return share == 0.0; })) {
        const bool is_placed = dataset.place().origin.has_value();
        throw InvalidData(dataset.path() + ": no part of its grid lies within the polygon (" +
                          (is_placed
                               ? "the grid lies on the map, " + dataset.place().text()
                               : std::string("the file states no origin, so that coordinates are those of the grid")) +
                          "); correct the polygon's coordinates, or the attributes origin and rotation");
    }
    return shares;
}

}  // namespace plumecast
