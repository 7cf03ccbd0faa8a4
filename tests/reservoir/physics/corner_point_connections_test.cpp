#include "reservoir/physics/corner_point_connections.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/cylinder.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double dx = 100.0, dy = 80.0, dz = 10.0;

/// Cells of dx x dy x dz whose tops lie at `top(column, line, corner along x, corner along y)`.
template <class Top>
CornerPoints shape_of(std::size_t rows, std::size_t lines, std::size_t columns, const Top& top) {
    CornerPoints grid{rows, lines, columns, {}, {}};
    for (std::size_t j = 0; j <= lines; ++j) {
        for (std::size_t i = 0; i <= columns; ++i) {
            const double x = dx * static_cast<double>(i), y = dy * static_cast<double>(j);
            grid.pillars.insert(grid.pillars.end(), {x, y, 0.0, x, y, 1000.0});
        }
    }
    for (std::size_t k = 0; k < 2 * rows; ++k) {
        for (std::size_t j = 0; j < 2 * lines; ++j) {
            for (std::size_t i = 0; i < 2 * columns; ++i) {
                grid.depths.push_back(top(i / 2, j / 2, (i + 1) / 2, (j + 1) / 2) +
                                      dz * static_cast<double>((k + 1) / 2));
            }
        }
    }
    return grid;
}

CellPermeabilities rock_of(const CornerPoints& grid, double x = 100.0, double y = 50.0, double z = 10.0) {
    const std::size_t cells = grid.cells();
    return {std::vector<double>(cells, x), std::vector<double>(cells, y), std::vector<double>(cells, z),
            std::vector<char>(cells, 1)};
}

double level(std::size_t, std::size_t, std::size_t, std::size_t) { return 500.0; }

TEST(CornerPointConnections, AreThoseOfABoxWhereLayersAreLevel) {
    const CornerPoints grid = shape_of(2, 3, 2, level);
    const CellConnections found = corner_point_connections(grid, rock_of(grid));
    EXPECT_THAT(found.apart, IsEmpty());
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
        EXPECT_DOUBLE_EQ(found.x[cell], cell % 2 == 0 ? cylinder::darcy * 100.0 * dy * dz / dx : 0.0);
        EXPECT_NEAR(found.y[cell], cell % 6 < 4 ? cylinder::darcy * 50.0 * dx * dz / dy : 0.0, 1e-12);
        EXPECT_NEAR(found.z[cell], cell < 6 ? cylinder::darcy * 10.0 * dx * dy / dz : 0.0, 1e-12);
    }
}

TEST(CornerPointConnections, DipsLengthenTheWay) {
    constexpr double slope = 0.1;
    const CornerPoints grid = shape_of(1, 1, 2, [](std::size_t, std::size_t, std::size_t at, std::size_t) {
        return 500.0 + slope * dx * static_cast<double>(at);
    });
    const CellConnections found = corner_point_connections(grid, rock_of(grid));
    EXPECT_NEAR(found.x[0] / (cylinder::darcy * 100.0 * dy * dz / dx / (1.0 + slope * slope)), 1.0, 1e-12);
}

TEST(CornerPointConnections, AFaultConnectsWhatLiesBesideIt) {
    const CornerPoints grid = shape_of(3, 1, 2, [](std::size_t column, std::size_t, std::size_t, std::size_t) {
        return 500.0 + (column == 1 ? 14.0 : 0.0);  // a layer and two fifths
    });
    CellPermeabilities rock = rock_of(grid);
    const CellConnections found = corner_point_connections(grid, rock);
    EXPECT_THAT(found.x, ::testing::Each(0.0));
    // Places 0, 2, 4 lie before the fault, 1, 3, 5 beyond: 1 beside 2 and 4, 3 beside 4.
    const double whole = cylinder::darcy * 100.0 * dy * dz / dx;
    std::map<std::pair<std::size_t, std::size_t>, double> pairs;
    for (const BoxConnection& one : found.apart) {
        pairs[{one.first, one.second}] = one.transmissibility / whole;
    }
    ASSERT_THAT(pairs, SizeIs(3));
    EXPECT_NEAR((pairs[{1, 2}]), 0.6, 1e-12);
    EXPECT_NEAR((pairs[{1, 4}]), 0.4, 1e-12);
    EXPECT_NEAR((pairs[{3, 4}]), 0.6, 1e-12);
    rock.active[1] = 0;
    EXPECT_THAT(corner_point_connections(grid, rock).apart, SizeIs(1));
}

TEST(CornerPointConnections, AFaultThatOpensConnectsTriangles) {
    // The throw goes from 0 to one layer along the fault: a cell shares one half of its side with the next, the other
    // half with the one above.
    const CornerPoints grid = shape_of(2, 1, 2, [](std::size_t column, std::size_t, std::size_t, std::size_t line) {
        return 500.0 + (column == 1 ? dz * static_cast<double>(line) : 0.0);
    });
    const CellConnections found = corner_point_connections(grid, rock_of(grid));
    ASSERT_THAT(found.apart, SizeIs(1));
    EXPECT_EQ(found.apart[0].first, 1U);
    EXPECT_EQ(found.apart[0].second, 2U);
    EXPECT_NEAR(found.apart[0].transmissibility / found.x[0], 1.0, 1e-12);
    EXPECT_NEAR(found.x[0] / (0.5 * cylinder::darcy * 100.0 * dy * dz / dx), 1.0, 1e-12);
}

TEST(CornerPointConnections, PinchedCellsLetFlowPassWhereTheirNeighboursTouch) {
    CornerPoints grid = shape_of(3, 1, 1, level);
    CellPermeabilities rock = rock_of(grid);
    rock.active[1] = 0;
    EXPECT_THAT(corner_point_connections(grid, rock).apart, IsEmpty());  // a whole layer lies between
    std::fill(grid.depths.begin() + 8, grid.depths.begin() + 16, 500.0 + dz);
    std::fill(grid.depths.begin() + 16, grid.depths.begin() + 20, 500.0 + dz);
    const CellConnections found = corner_point_connections(grid, rock);
    ASSERT_THAT(found.apart, SizeIs(1));
    EXPECT_EQ(found.apart[0].second, 2U);
    EXPECT_NEAR(found.apart[0].transmissibility, cylinder::darcy * dx * dy / (0.5 * dz / 10.0 + dz / 10.0), 1e-9);
}

TEST(CornerPointConnections, NamesWhatDoesNotFit) {
    CornerPoints grid = shape_of(1, 1, 2, level);
    const CellPermeabilities rock = rock_of(grid);
    grid.depths.pop_back();
    try {
        corner_point_connections(grid, rock);
        ADD_FAILURE() << "no error";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("corner_depths has 15 values (the corner-point grid asks for 16)"));
    }
}

}  // namespace
}  // namespace plumecast::testing
