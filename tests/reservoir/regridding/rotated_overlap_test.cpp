#include "reservoir/regridding/rotated_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace plumecast::testing {
namespace {

double total_area(const std::vector<AreaShare>& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.0,
                           [](double sum, const AreaShare& share) { return sum + share.area(); });
}

TEST(TurnTest, IsExactForQuartersAndLeadsBack) {
    for (const double degrees : {90.0, -270.0, 450.0}) {
        const MapPoint turned = Turn::by(degrees).of({3.0, 5.0});
        EXPECT_EQ(turned.x, -5.0);
        EXPECT_EQ(turned.y, 3.0);
    }
    EXPECT_TRUE(Turn::by(-360.0).is_none());
    EXPECT_FALSE(Turn::by(180.0).is_none());
    EXPECT_FALSE(Turn::by(0.01).is_parallel());
    const Turn turn = Turn::by(30.0);
    const MapPoint there = turn.of({2.0, 1.0}), back = turn.back().of(there);
    EXPECT_NEAR(there.x, std::sqrt(3.0) - 0.5, 1e-12);
    EXPECT_NEAR(there.y, 1.0 + 0.5 * std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(back.x, 2.0, 1e-12);
    EXPECT_NEAR(back.y, 1.0, 1e-12);
}

TEST(RotatedOverlapTest, FindsTheAreasOfASquareOnItsCorner) {
    // A square of side 1 turned by 45 degrees about its lower corner, cut by its two diagonals.
    const double half = std::sqrt(0.5);
    const PlanView grid{{-2.0, 0.0, 2.0}, {-1.0, half, 3.0}};
    const std::vector<AreaShare> shares = shared_areas(grid, {0.0, 1.0, 0.0, 1.0}, Turn::by(45.0));
    ASSERT_EQ(shares.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(shares[i].column, i);
        EXPECT_NEAR(shares[i].area(), 0.25, 1e-12);
    }
}

TEST(RotatedOverlapTest, LeavesNothingOutAndCountsNothingTwiceUnderAnyAngleAndFarFromZero) {
    for (const double degrees : {0.0, 7.0, 30.0, 90.0, 133.0, 180.0, 270.0, -60.0}) {
        for (const double away : {0.0, 3e6}) {
            const Turn turn = Turn::by(degrees);
            const MapPoint middle = turn.of({away, away});
            const Rectangle own{away - 130.0, away + 70.0, away - 20.0, away + 90.0};
            PlanView grid;
            for (int i = -9; i <= 9; ++i) {
                grid.x_edges.push_back(middle.x + 31.0 * i);
                grid.y_edges.push_back(middle.y + 23.0 * i);
            }
            EXPECT_NEAR(total_area(shared_areas(grid, own, turn)) / own.area(), 1.0, 1e-9) << degrees << " " << away;
            const PlanView one{{middle.x - 300.0, middle.x + 300.0}, {middle.y - 300.0, middle.y + 300.0}};
            ASSERT_EQ(shared_areas(one, own, turn).size(), 1U);
            EXPECT_NEAR(total_area(shared_areas(one, own, turn)) / own.area(), 1.0, 1e-9) << degrees << " " << away;
        }
    }
}

TEST(RotatedOverlapTest, LanesRunAlongTheAxesOfTheRectangle) {
    const PlanView grid{{-400.0, -100.0, 0.0, 150.0, 400.0}, {-400.0, 10.0, 60.0, 400.0}};
    const Rectangle own{0.0, 120.0, 0.0, 80.0};
    for (const double degrees : {0.0, 30.0, 90.0, 180.0, 270.0}) {
        for (const bool along_x : {true, false}) {
            const std::vector<Lane> lanes =
                along_x ? lanes_along_x(grid, own, Turn::by(degrees)) : lanes_along_y(grid, own, Turn::by(degrees));
            double width = 0.0;
            for (const Lane& lane : lanes) {
                width += lane.width;
                EXPECT_NEAR(std::accumulate(lane.lengths.begin(), lane.lengths.end(), 0.0), along_x ? 120.0 : 80.0,
                            1e-6);
            }
            EXPECT_NEAR(width, along_x ? 80.0 : 120.0, 1e-9);
        }
    }
    // Along x of the rectangle, which is y of the grid: one after the other the lines of the second column.
    const std::vector<Lane> lanes = lanes_along_x(grid, own, Turn::by(90.0));
    ASSERT_EQ(lanes.size(), 1U);
    EXPECT_EQ(lanes[0].columns, (std::vector<std::size_t>{1, 5, 9}));
}

}  // namespace
}  // namespace plumecast::testing
