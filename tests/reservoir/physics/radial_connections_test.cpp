
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/radial_connections.hpp"

namespace plumecast {
namespace {

TEST(RadialConnections, AreThoseOfTheCylinder) {
    RadialCase radial = uniform_radial_case(2, 3);
    radial.z_edges = {0.0, 4.0, 11.0};
    radial.permeability_r = {10.0, 20.0, 30.0, 40.0, 50.0, 60.0};
    radial.permeability_z = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    radial.perforation[3] = 0.25;
    const RadialConnections found(radial);
    const auto& r = radial.r_edges;
    const cylinder::Ring first{r[0], r[1]}, second{r[1], r[2]}, third{r[2], r[3]};
    ASSERT_EQ(found.radial.size(), 4u);
    EXPECT_DOUBLE_EQ(found.radial[0], cylinder::radial_transmissibility(first, 10.0, second, 20.0, 4.0));
    EXPECT_DOUBLE_EQ(found.radial[3], cylinder::radial_transmissibility(second, 50.0, third, 60.0, 7.0));
    ASSERT_EQ(found.vertical.size(), 3u);
    EXPECT_DOUBLE_EQ(found.vertical[2], cylinder::vertical_transmissibility(third, 4.0, 3.0, 7.0, 6.0));
    ASSERT_EQ(found.well.size(), 2u);
    EXPECT_DOUBLE_EQ(found.well[0], cylinder::well_connection_factor(first, 10.0, 4.0));
    EXPECT_DOUBLE_EQ(found.well[1], 0.25 * cylinder::well_connection_factor(first, 40.0, 7.0));
}

TEST(RadialConnections, HaveThePoresOfTheCylinder) {
    const RadialCase radial = uniform_radial_case(4, 7);
    const RadialConnections found(radial);
    const double volume = std::numbers::pi * (1e10 - 0.01) * 20.0 * 0.2;
    EXPECT_NEAR(std::accumulate(found.pore_volume.begin(), found.pore_volume.end(), 0.0) / volume, 1.0, 1e-12);
}

TEST(RadialConnections, AreZeroAroundInactiveCellsWhereverTheyAre) {
    RadialCase radial = uniform_radial_case(3, 3);
    radial.active[0] = 0;
    radial.active[4] = 0;
    radial.permeability_r[4] = 0.0;
    radial.permeability_z[4] = 0.0;
    const RadialConnections found(radial);
    EXPECT_EQ(found.well[0], 0.0);
    EXPECT_GT(found.well[1], 0.0);
    EXPECT_EQ(found.pore_volume[0], 0.0);
    EXPECT_EQ(found.pore_volume[4], 0.0);
    EXPECT_EQ(found.radial[0], 0.0);          // 0 and 1
    EXPECT_GT(found.radial[1], 0.0);          // 1 and 2
    EXPECT_EQ(found.radial[1 * 2], 0.0);      // 3 and 4
    EXPECT_EQ(found.radial[1 * 2 + 1], 0.0);  // 4 and 5
    EXPECT_EQ(found.vertical[0], 0.0);        // 0 and 3
    EXPECT_EQ(found.vertical[1], 0.0);        // 1 and 4
    EXPECT_EQ(found.vertical[4], 0.0);        // 4 and 7
    EXPECT_GT(found.vertical[2], 0.0);        // 2 and 5
    EXPECT_EQ(found.radial.size() + found.vertical.size(), 12u);
}

TEST(RadialConnections, ExistForASingleCell) {
    const RadialConnections found(uniform_radial_case(1, 1));
    EXPECT_TRUE(found.radial.empty());
    EXPECT_TRUE(found.vertical.empty());
    EXPECT_GT(found.well[0], 0.0);
}

TEST(PerforationDepth, IsTheMeanOverTheOpenHeight) {
    RadialCase radial = uniform_radial_case(3, 2);
    radial.z_edges = {0.0, 2.0, 10.0, 20.0};
    EXPECT_DOUBLE_EQ(perforation_depth(radial), 10.0);
    radial.perforation = {1.0, 1.0, 0.5, 0.5, 0.0, 0.0};
    EXPECT_DOUBLE_EQ(perforation_depth(radial), (2.0 * 1.0 + 4.0 * 6.0) / 6.0);
    radial.active[0] = 0;
    EXPECT_DOUBLE_EQ(perforation_depth(radial), 6.0);
}

TEST(ActiveRows, EndBelowTheLowestActiveCell) {
    RadialCase radial = uniform_radial_case(4, 2);
    EXPECT_EQ(active_rows(radial), 4u);
    radial.active = {0, 1, 1, 1, 0, 1, 0, 0};
    EXPECT_EQ(active_rows(radial), 3u);
}

}  // namespace
}  // namespace plumecast
