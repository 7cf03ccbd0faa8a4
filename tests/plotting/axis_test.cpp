#include <limits>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "plotting/axis.hpp"

namespace plumecast {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(LinearTicks, AreRoundValuesInsideTheRange) {
    EXPECT_THAT(linear_ticks(0.0, 1.0, 5), Pointwise(DoubleNear(1e-12), {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}));
    EXPECT_THAT(linear_ticks(-7.0, 13.0, 4), Pointwise(DoubleNear(1e-12), {-5.0, 0.0, 5.0, 10.0}));
}

TEST(LinearTicks, AcceptEndsInEitherOrder) { EXPECT_EQ(linear_ticks(10.0, 0.0, 2), linear_ticks(0.0, 10.0, 2)); }

TEST(LinearTicks, GiveTheOneValueOfAnEmptyRange) { EXPECT_THAT(linear_ticks(3.0, 3.0, 5), ElementsAre(3.0)); }

TEST(LinearTicks, RefuseEndsThatAreNotFinite) {
    EXPECT_THROW(linear_ticks(0.0, std::numeric_limits<double>::quiet_NaN(), 5), InvalidInput);
}

TEST(LogarithmicTicks, ArePowersOfTenOverManyDecades) {
    EXPECT_THAT(logarithmic_ticks(0.5, 200.0), Pointwise(DoubleNear(1e-9), {1.0, 10.0, 100.0}));
}

TEST(LogarithmicTicks, FillInOverFewDecades) {
    EXPECT_THAT(logarithmic_ticks(1.5, 30.0), Pointwise(DoubleNear(1e-9), {2.0, 5.0, 10.0, 20.0}));
}

TEST(LogarithmicTicks, RefuseARangeThatReachesZero) { EXPECT_THROW(logarithmic_ticks(0.0, 1.0), InvalidInput); }

TEST(TickText, HasTheDigitsTheStepNeeds) {
    EXPECT_EQ(tick_text(0.5, 0.25), "0.50");
    EXPECT_EQ(tick_text(1500.0, 500.0), "1500");
    EXPECT_EQ(tick_text(0.0, 0.1), "0.0");
    EXPECT_EQ(tick_text(0.00002, 0.00001), "2e-05");
}

TEST(TimeText, ChoosesTheUnitAReaderWouldSay) {
    EXPECT_EQ(time_text(0.5), "12 hours");
    EXPECT_EQ(time_text(1.0), "1 day");
    EXPECT_EQ(time_text(2.42), "2.4 days");
    EXPECT_EQ(time_text(365.0), "1 year");
    EXPECT_EQ(time_text(655.5), "1.8 years");
    EXPECT_EQ(time_text(10950.3), "30 years");
}

TEST(PlotAxis, PlacesValuesLinearlyAndLogarithmically) {
    EXPECT_NEAR((PlotAxis{0.0, 10.0, 100.0, 0.0, false}.position(2.5)), 75.0, 1e-12);
    EXPECT_NEAR((PlotAxis{1.0, 100.0, 0.0, 50.0, true}.position(10.0)), 25.0, 1e-12);
}

TEST(PlotAxis, HasTicksOnASmallPartOfADecade) {
    EXPECT_THAT((PlotAxis{0.024, 0.045, 300.0, 0.0, true}.ticks(60.0)),
                Pointwise(DoubleNear(1e-12), {0.025, 0.03, 0.035, 0.04, 0.045}));
    EXPECT_THAT((PlotAxis{0.015, 0.15, 300.0, 0.0, true}.ticks(60.0)), Pointwise(DoubleNear(1e-12), {0.02, 0.05, 0.1}));
}

}  // namespace
}  // namespace plumecast
