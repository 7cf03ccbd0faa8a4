#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/ensemble.hpp"

namespace plumecast {
namespace {

TEST(Percentiles, CountByExceedanceSoThatP90IsLow) {
    const Percentiles at = percentiles({10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    EXPECT_DOUBLE_EQ(at.p90, 1.0);
    EXPECT_DOUBLE_EQ(at.p50, 5.0);
    EXPECT_DOUBLE_EQ(at.p10, 9.0);
}

TEST(Percentiles, InterpolateBetweenRanksAndLeaveOutWhatIsNotFinite) {
    const Percentiles at = percentiles({2.0, std::numeric_limits<double>::quiet_NaN(), 1.0});
    EXPECT_DOUBLE_EQ(at.p50, 1.5);
    EXPECT_DOUBLE_EQ(at.p10, 1.9);
    EXPECT_TRUE(std::isnan(percentiles({}).p50));
}

TEST(Proportion, HasTheIntervalOfClopperAndPearson) {
    const Proportion some = proportion_of(3, 200);  // of the F distribution: 0.00410, 0.03833
    EXPECT_DOUBLE_EQ(some.share(), 0.015);
    EXPECT_NEAR(some.low, 0.0041, 5e-5);
    EXPECT_NEAR(some.high, 0.0383, 5e-5);
    const Proportion none = proportion_of(0, 10);
    EXPECT_EQ(none.low, 0.0);
    EXPECT_NEAR(none.high, 1.0 - std::pow(0.05, 0.1), 1e-9);
    const Proportion all = proportion_of(10, 10);
    EXPECT_NEAR(all.low, std::pow(0.05, 0.1), 1e-9);
    EXPECT_EQ(all.high, 1.0);
    EXPECT_EQ(proportion_of(0, 0).share(), 0.0);
}

TEST(ExceedanceMap, DividesByAllCasesAndCountsActiveCellsOnly) {
    ExceedanceMap map(3);
    map.add(std::vector<std::uint8_t>{1, 1, 0}, std::vector<float>{1, 1, 0});
    map.add(std::vector<std::uint8_t>{1, 1, 0}, std::vector<float>{1, 0, 0});
    EXPECT_EQ(map.probability(), (std::vector<float>{1.0F, 0.5F, 0.0F}));
    EXPECT_EQ(map.active(), (std::vector<float>{1.0F, 1.0F, 0.0F}));
    EXPECT_THROW(map.add(std::vector<std::uint8_t>{1}, std::vector<float>{1}), InvalidInput);
}

}  // namespace
}  // namespace plumecast
