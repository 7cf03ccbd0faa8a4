#include "reservoir/metrics/cell_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

constexpr double width = 200.0, breadth = 100.0;  // of a cell along x and along y [m]
constexpr std::array<double, 8> angles = {0.0, 30.0, 60.0, 85.0, 90.0, 135.0, 200.0, 271.0};

using Point = std::array<double, 2>;

double distance_between(const Point& one, const Point& other) {
    return std::hypot(one[0] - other[0], one[1] - other[1]);
}

/// A level of cells whose lines run over the map as a function of the indices says; whole numbers are edges.
struct BentGrid {
    std::size_t nx, ny;
    std::function<Point(double, double)> place;
    std::vector<double> x_edges{}, y_edges{}, z_edges = {0.0, 10.0};
    std::vector<float> x{}, y{}, volumes{};

    BentGrid(std::size_t columns, std::size_t lines, std::function<Point(double, double)> of)
        : nx(columns), ny(lines), place(std::move(of)) {
        for (std::size_t i = 0; i <= nx; ++i) {
            x_edges.push_back(width * static_cast<double>(i));
        }
        for (std::size_t j = 0; j <= ny; ++j) {
            y_edges.push_back(breadth * static_cast<double>(j));
        }
        for (std::size_t column = 0; column < nx * ny; ++column) {
            const Point centre = within(column, 0.5, 0.5);
            x.push_back(static_cast<float>(centre[0]));
            y.push_back(static_cast<float>(centre[1]));
            volumes.push_back(2e5F);
        }
    }
    Point within(std::size_t column, double u, double v) const {
        return place(static_cast<double>(column % nx) + u, static_cast<double>(column / nx) + v);
    }
    void close(std::size_t column) { volumes[column] = x[column] = y[column] = 0.0F; }
    ColumnPlaces places() const { return column_places(x_edges, y_edges, volumes, x, y); }
    CellGeometry geometry(const std::vector<std::size_t>& wells) const {
        const ColumnPlaces found = places();
        return box_geometry(x_edges, y_edges, z_edges, wells, &found);
    }
    CellGeometry box(const std::vector<std::size_t>& wells) const {
        return box_geometry(x_edges, y_edges, z_edges, wells);
    }
};

std::function<Point(double, double)> turned(double degrees, double mirror = 1.0) {
    const double angle = degrees * std::numbers::pi / 180.0;
    return [angle, mirror](double i, double j) {
        const double along = width * i, across = mirror * breadth * j;
        return Point{along * std::cos(angle) - across * std::sin(angle),
                     along * std::sin(angle) + across * std::cos(angle)};
    };
}

/// Lines of x that lean by 45 degrees.
Point sheared(double i, double j) { return {width * i + breadth * j, breadth * j}; }

/// Lines of x that bend by 80 degrees in all, around a place 1000 m beyond the last of 8 lines.
Point curved(double i, double j) {
    const double radius = 1000.0 + breadth * (8.0 - j), angle = 80.0 / 180.0 * std::numbers::pi * i / 10.0;
    return {radius * std::sin(angle), -radius * std::cos(angle)};
}

/// Distances from a well to the nearest and to the farthest point of the outline of a column.
struct Outline {
    double near = 1e30, reach = 0.0;

    Outline(const BentGrid& grid, std::size_t column, std::size_t well) {
        constexpr int parts = 1000;
        for (int part = 0; part <= parts; ++part) {
            const double share = static_cast<double>(part) / parts;
            for (const auto& [u, v] : {Point{share, 0.0}, Point{share, 1.0}, Point{0.0, share}, Point{1.0, share}}) {
                const double distance = distance_between(grid.within(column, u, v), grid.within(well, 0.5, 0.5));
                near = std::min(near, distance);
                reach = std::max(reach, distance);
            }
        }
        near = column == well ? 0.0 : near;
    }
};

void expect_steps_to_the_well(const CellGeometry& found, std::size_t nx, std::size_t well) {
    const auto apart = [nx](std::size_t one, std::size_t other) {
        return std::pair(std::abs(static_cast<int>(one % nx) - static_cast<int>(other % nx)),
                         std::abs(static_cast<int>(one / nx) - static_cast<int>(other / nx)));
    };
    for (std::size_t column = 0; column < found.columns; ++column) {
        const std::size_t inner = found.inner[column];
        ASSERT_LT(inner, found.columns) << column;
        const auto [i, j] = apart(column, well);
        const auto [next_i, next_j] = apart(inner, well);
        EXPECT_TRUE(next_i == i || next_i == i - 1) << column;
        EXPECT_TRUE(next_j == j || next_j == j - 1) << column;
        EXPECT_EQ(inner == column, column == well) << column;
    }
}

/// Against what the outlines of the columns say, to a tolerance [m].
void expect_distances(const BentGrid& grid, std::size_t well, double tolerance) {
    const CellGeometry found = grid.geometry({well});
    expect_steps_to_the_well(found, grid.nx, well);
    for (std::size_t column = 0; column < found.columns; ++column) {
        const Outline outline(grid, column, well);
        EXPECT_NEAR(found.centres[column], distance_between(grid.within(column, 0.5, 0.5), grid.within(well, 0.5, 0.5)),
                    1e-3)
            << column;
        EXPECT_NEAR(found.nears[column], outline.near, tolerance) << column;
        EXPECT_NEAR(found.reaches[column], outline.reach, tolerance) << column;
    }
}

/// The map area within a distance from the well, and that of all columns, by points close to each other.
struct Areas {
    double within = 0.0, all = 0.0;

    Areas(const BentGrid& grid, std::size_t well, double distance) {
        constexpr double part = 0.05;
        const Point from = grid.within(well, 0.5, 0.5);
        for (double j = 0.5 * part; j < static_cast<double>(grid.ny); j += part) {
            for (double i = 0.5 * part; i < static_cast<double>(grid.nx); i += part) {
                const Point here = grid.place(i, j), x = grid.place(i + 1e-4, j), y = grid.place(i, j + 1e-4);
                const double area = part * part * 1e8 *
                                    std::abs((x[0] - here[0]) * (y[1] - here[1]) - (x[1] - here[1]) * (y[0] - here[0]));
                all += area;
                within += distance_between(here, from) < distance ? area : 0.0;
            }
        }
    }
};

/// The size of a field that falls with the distance from the well, above its value at a distance.
void expect_size(const BentGrid& grid, std::size_t well, double distance, double share) {
    const CellGeometry geometry = grid.geometry({well});
    std::vector<float> field;
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        field.push_back(
            static_cast<float>(5000.0 - distance_between(grid.within(column, 0.5, 0.5), grid.within(well, 0.5, 0.5))));
    }
    const std::vector<float> active(field.size(), 1.0F);
    const PlumeSize size =
        size_of(cover_above(field, active, geometry, 5000.0 - distance, FieldEdge::smooth), geometry);
    const Areas areas(grid, well, distance);
    double all = 0.0;
    for (const double area : geometry.areas) {
        all += area;
    }
    EXPECT_NEAR(size.radius, distance, 0.5 * size.resolution) << well;  // interpolated along eight directions
    EXPECT_NEAR(size.area, areas.within, share * areas.within) << well;
    EXPECT_NEAR(all, areas.all, 5e-3 * areas.all);
}

TEST(CellGeometry, MeasuresBetweenTheCentresOfATurnedGrid) {
    const std::vector<std::size_t> wells = {4};
    for (const double mirror : {1.0, -1.0}) {
        for (const double degrees : angles) {
            const BentGrid grid(3, 2, turned(degrees, mirror));
            const CellGeometry box = grid.box(wells), found = grid.geometry(wells);
            for (std::size_t column = 0; column < box.columns; ++column) {
                EXPECT_NEAR(found.centres[column], box.centres[column], 1e-3);
                EXPECT_NEAR(found.nears[column], box.nears[column], 1e-3);
                EXPECT_NEAR(found.reaches[column], box.reaches[column], 1e-3);
                EXPECT_EQ(found.inner[column], box.inner[column]);
            }
            EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0)));
        }
    }
}

TEST(CellGeometry, MeasuresFromWellsAtTheRimOfAShearedGrid) {
    const BentGrid grid(10, 8, sheared);
    for (const std::size_t well : {0U, 9U, 40U, 44U, 70U, 79U}) {
        expect_distances(grid, well, 0.2);
    }
    EXPECT_THAT(grid.geometry({0}).areas, Each(DoubleNear(2e4, 1.0)));
}

TEST(CellGeometry, MeasuresFromWellsAtTheRimOfACurvedGrid) {
    const BentGrid grid(10, 8, curved);
    for (const std::size_t well : {0U, 9U, 40U, 44U, 70U, 79U}) {
        expect_distances(grid, well, 15.0);  // of 140 to 250 m: columns are narrower on one side, their shapes are not
    }
}

TEST(CellGeometry, SizesAFieldAroundWellsOfShearedAndCurvedGrids) {
    for (const std::size_t well : {0U, 40U, 44U, 79U}) {
        expect_size(BentGrid(10, 8, sheared), well, 500.0, 0.05);
        expect_size(BentGrid(10, 8, curved), well, 500.0, 0.05);
    }
}

TEST(CellGeometry, MeasuresASingleLineOfColumnsAtAnyAngle) {
    for (const double degrees : angles) {
        for (const BentGrid& grid : {BentGrid(5, 1, turned(degrees)), BentGrid(1, 5, turned(degrees))}) {
            const CellGeometry box = grid.box({1}), found = grid.geometry({1});
            EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0))) << degrees;
            for (std::size_t column = 0; column < 5; ++column) {
                EXPECT_NEAR(found.nears[column], box.nears[column], 1e-2) << degrees;
                EXPECT_NEAR(found.reaches[column], box.reaches[column], 1e-2) << degrees;
                EXPECT_EQ(found.inner[column], box.inner[column]);
            }
        }
    }
}

TEST(CellGeometry, MeasuresColumnsThatInactiveOnesCutOffAtAnyAngle) {
    for (const double mirror : {1.0, -1.0}) {
        for (const double degrees : angles) {
            BentGrid grid(4, 3, turned(degrees, mirror));
            for (const std::size_t column : {1U, 4U, 6U, 9U}) {  // around 0, 5 and 8; 2 and 10 keep one neighbour
                grid.close(column);
            }
            const CellGeometry box = grid.box({0}), found = grid.geometry({0});
            EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0))) << degrees;
            for (std::size_t column = 0; column < box.columns; ++column) {
                EXPECT_NEAR(found.centres[column], box.centres[column], 1e-2) << degrees;
                EXPECT_NEAR(found.nears[column], box.nears[column], 1e-2) << degrees;
                EXPECT_NEAR(found.reaches[column], box.reaches[column], 1e-2) << degrees;
            }
        }
    }
}

TEST(CellGeometry, TakesColumnsAtOnePlaceForColumnsWithoutNeighbours) {
    const BentGrid grid(3, 2, [](double, double) { return Point{50.0, 50.0}; });
    const CellGeometry found = grid.geometry({0});
    EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0)));
    EXPECT_THAT(found.nears, Each(0.0));
}

TEST(CellGeometry, TakesDepthsOfCentres) {
    CellGeometry box = BentGrid(3, 2, turned(0.0)).geometry({0});
    EXPECT_EQ(box.depths_of(3), (std::pair{0.0, 10.0}));
    box.centre_depths = {5.0, 15.0, 25.0, 35.0, 45.0, 55.0};
    EXPECT_EQ(box.depths_of(3), (std::pair{30.0, 40.0}));
}

}  // namespace
}  // namespace plumecast::testing
