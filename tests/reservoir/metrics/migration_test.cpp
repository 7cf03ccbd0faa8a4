#include "reservoir/metrics/migration.hpp"

#include <gtest/gtest.h>

namespace plumecast {
namespace {

/// Four cells at three times: the first fills and empties again, the second fills at the end, the third ends at the
/// threshold, and the fourth is not active.
CaseFields passing_plume() {
    CaseFields fields;
    fields.active = {1.0F, 1.0F, 1.0F, 0.0F};
    fields.gas_saturation = {0.3F, 0.0F, 0.0F,  0.9F,  //
                             0.0F, 0.1F, 0.0F,  0.9F,  //
                             0.0F, 0.4F, 0.25F, 0.9F};
    return fields;
}

TEST(ReachedCells, KeepTheFirstTimeAboveTheThreshold) {
    const std::vector<ReachedCell> reached = reached_cells(passing_plume(), 0.25);
    ASSERT_EQ(reached.size(), 2U);
    EXPECT_EQ(reached[0].cell, 0U);
    EXPECT_EQ(reached[0].time, 0U);
    EXPECT_EQ(reached[1].cell, 1U);
    EXPECT_EQ(reached[1].time, 2U);
}

TEST(ReachedCells, AreReachedBetweenTwoTimes) {
    const std::vector<double> times{30.0, 365.25, 730.5};
    const ArrivalTime first = arrival_time({0, 0}, times), last = arrival_time({1, 2}, times);
    EXPECT_EQ(first.not_before, 0.0);
    EXPECT_EQ(first.at_latest, 30.0);
    EXPECT_EQ(last.not_before, 365.25);
    EXPECT_EQ(last.at_latest, 730.5);
}

}  // namespace
}  // namespace plumecast
