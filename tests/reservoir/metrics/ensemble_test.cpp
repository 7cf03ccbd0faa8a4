#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/ensemble.hpp>

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
