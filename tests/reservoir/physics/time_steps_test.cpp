#include "reservoir/physics/time_steps.hpp"

#include <gtest/gtest.h>

namespace plumecast {
namespace {

TEST(StepEnds, AreEqualPartsFromTheStartAndGrowLater) {
    EXPECT_EQ(step_ends(0.0, 6.0, 3), (std::vector<double>{2.0, 4.0, 6.0}));
    const std::vector<double> ends = step_ends(2.0, 16.0, 3);
    ASSERT_EQ(ends.size(), 3u);
    EXPECT_NEAR(ends[0], 4.0, 1e-12);
    EXPECT_NEAR(ends[1], 8.0, 1e-12);
    EXPECT_EQ(ends[2], 16.0);
}

TEST(StepEnds, EndAtTheTimeToTheBit) { EXPECT_EQ(step_ends(0.1, 0.7, 7).back(), 0.7); }

}  // namespace
}  // namespace plumecast
