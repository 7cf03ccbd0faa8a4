#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/output/pillar_grid.hpp"

namespace plumecast::testing {
namespace {

using eclipse::cell_corners;
using eclipse::PillarGrid;

const std::vector<double> r_edges{0.1, 4.0, 300.0, 100000.0};
const std::vector<double> z_edges{0.0, 2.0, 7.0};

/// Volume of a cell with level faces: its height times the area of its upper face by the shoelace formula.
double volume(const PillarGrid& grid, std::size_t i, std::size_t j, std::size_t k) {
    const auto corners = cell_corners(grid, i, j, k);
    const std::size_t around[] = {0, 1, 3, 2};
    double twice = 0.0;
    for (std::size_t n = 0; n < 4; ++n) {
        const auto& a = corners[around[n]];
        const auto& b = corners[around[(n + 1) % 4]];
        twice += a.x * b.y - b.x * a.y;
    }
    return 0.5 * std::abs(twice) * (corners[4].z - corners[0].z);
}

double ring_volume(std::size_t i, std::size_t k) {
    return std::numbers::pi * (r_edges[i + 1] * r_edges[i + 1] - r_edges[i] * r_edges[i]) *
           (z_edges[k + 1] - z_edges[k]);
}

class CylinderGrid : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CylinderGrid, SharesTheVolumeOfARingOutEqually) {
    const std::size_t sectors = GetParam();
    const PillarGrid grid = eclipse::cylinder_grid(r_edges, z_edges, sectors, 1500.0);
    EXPECT_EQ(grid.coord.size(), 6 * (sectors + 1) * r_edges.size());
    EXPECT_EQ(grid.zcorn.size(), 8 * grid.cells());
    for (std::size_t i = 0; i < grid.nx; ++i) {
        for (std::size_t k = 0; k < grid.nz; ++k) {
            double sum = 0.0;
            for (std::size_t j = 0; j < sectors; ++j) {
                const double part = volume(grid, i, j, k);
                EXPECT_NEAR(part * static_cast<double>(sectors) / ring_volume(i, k), 1.0, 1e-4);
                sum += part;
            }
            EXPECT_NEAR(sum / ring_volume(i, k), 1.0, 1e-5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sectors, CylinderGrid, ::testing::Values(1, 3, 12, 25));

TEST(CylinderGrid, BeginsAtTheTopAndCloses) {
    const PillarGrid grid = eclipse::cylinder_grid(r_edges, z_edges, 12, 1500.0);
    EXPECT_EQ(cell_corners(grid, 0, 0, 0)[0].z, 1500.0);
    EXPECT_EQ(cell_corners(grid, 0, 0, 1)[4].z, 1507.0);
    const auto first = cell_corners(grid, 2, 0, 0);
    const auto last = cell_corners(grid, 2, 11, 0);
    EXPECT_EQ(first[1].x, last[3].x);
    EXPECT_EQ(first[1].y, last[3].y);
}

TEST(CylinderGrid, RefusesTwoSectors) {
    EXPECT_THROW(eclipse::cylinder_grid(r_edges, z_edges, 2, 0.0), InvalidInput);
    EXPECT_THROW(eclipse::cylinder_grid(r_edges, z_edges, 0, 0.0), InvalidInput);
}

TEST(BoxGrid, HasCellsBetweenItsEdges) {
    const std::vector<double> x{-100.0, 0.0, 300.0};
    const std::vector<double> y{0.0, 50.0};
    const PillarGrid grid = eclipse::box_grid(x, y, z_edges, 10.0);
    EXPECT_NEAR(volume(grid, 1, 0, 1), 300.0 * 50.0 * 5.0, 1e-6);
    const eclipse::Point last = cell_corners(grid, 1, 0, 1)[7];
    EXPECT_EQ(last.x, 300.0);
    EXPECT_EQ(last.y, 50.0);
    EXPECT_EQ(last.z, 17.0);
}

}  // namespace
}  // namespace plumecast::testing
