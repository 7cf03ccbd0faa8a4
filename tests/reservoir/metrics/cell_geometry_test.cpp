#include "reservoir/metrics/cell_geometry.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>

namespace plumecast::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

/// Centres and volumes of a level of cells of 200 x 100 m whose axes are turned by an angle.
struct TurnedGrid {
    std::vector<double> x_edges = {0.0, 200.0, 400.0, 600.0}, y_edges = {0.0, 100.0, 200.0}, z_edges = {0.0, 10.0};
    std::vector<float> x, y, volumes;

    explicit TurnedGrid(double angle) {
        for (int cell = 0; cell < 6; ++cell) {
            const double along = 200.0 * (cell % 3) + 100.0, across = 100.0 * (cell / 3) + 50.0;
            x.push_back(static_cast<float>(along * std::cos(angle) - across * std::sin(angle)));
            y.push_back(static_cast<float>(along * std::sin(angle) + across * std::cos(angle)));
            volumes.push_back(2e5F);
        }
    }
    CellGeometry geometry(const std::vector<std::size_t>& wells) const {
        const ColumnPlaces places = column_places(x_edges, y_edges, volumes, x, y);
        return box_geometry(x_edges, y_edges, z_edges, wells, &places);
    }
};

TEST(CellGeometry, MeasuresBetweenTheCentresOfATurnedGrid) {
    const std::vector<std::size_t> wells = {4};
    const TurnedGrid turned(std::numbers::pi / 6.0);
    const CellGeometry box = box_geometry(turned.x_edges, turned.y_edges, turned.z_edges, wells);
    const CellGeometry found = turned.geometry(wells);
    for (std::size_t column = 0; column < box.columns; ++column) {
        EXPECT_NEAR(found.centres[column], box.centres[column], 1e-3);
        EXPECT_NEAR(found.nears[column], box.nears[column], 1e-3);
        EXPECT_NEAR(found.reaches[column], box.reaches[column], 1e-3);
        EXPECT_EQ(found.inner[column], box.inner[column]);
    }
    EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0)));
}

TEST(CellGeometry, LeavesOutColumnsWithoutVolume) {
    TurnedGrid grid(0.0);
    grid.volumes[1] = 0.0F;
    grid.x[1] = grid.y[1] = 0.0F;
    const CellGeometry found = grid.geometry({2});
    EXPECT_NEAR(found.centres[0], 400.0, 1e-3);
    EXPECT_THAT(found.areas, Each(DoubleNear(2e4, 1.0)));
}

TEST(CellGeometry, TakesDepthsOfCentres) {
    CellGeometry box = TurnedGrid(0.0).geometry({0});
    EXPECT_EQ(box.depths_of(3), (std::pair{0.0, 10.0}));
    box.centre_depths = {5.0, 15.0, 25.0, 35.0, 45.0, 55.0};
    EXPECT_EQ(box.depths_of(3), (std::pair{30.0, 40.0}));
}

}  // namespace
}  // namespace plumecast::testing
