#include "reservoir/metrics/trust/series_intervals.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumecast {
namespace {

using ::testing::ElementsAre;

ResultVerdicts verdicts_of(Trust trust) {
    ResultVerdicts verdicts;
    verdicts.cases = {{trust, {}}};
    verdicts.evidence = {CaseEvidence{}};
    verdicts.figures = {{{"max_buildup", {1.0, 10.0}}}};
    return verdicts;
}

TrustRecord calibrated() {
    TrustRecord record;
    record.bands.figures = {{"max_buildup", 0.1, 2.0}};
    return record;
}

TEST(SeriesIntervals, AreThoseOfTheCalibration) {
    std::vector<NamedSeries> series = {{"max_buildup", "bar", "", {1.0, 10.0}}, {"mass_free", "Mt", "", {1.0, 2.0}}};
    add_intervals(series, verdicts_of(Trust::good), calibrated(), 0);
    EXPECT_THAT(series[0].low, ElementsAre(0.0, 6.0));
    EXPECT_THAT(series[0].high, ElementsAre(3.2, 14.0));
    EXPECT_TRUE(series[1].low.empty());
}

TEST(SeriesIntervals, AreUnknownWhereTheCalibrationSaysNothing) {
    std::vector<NamedSeries> bad = {{"max_buildup", "bar", "", {1.0, 10.0}}}, other = bad;
    add_intervals(bad, verdicts_of(Trust::bad), calibrated(), 0);
    EXPECT_FALSE(bad[0].has_interval());
    EXPECT_EQ(bad[0].low.size(), 2U);
    other[0].values = {1.0, 11.0};  // another quantity of the same name
    add_intervals(other, verdicts_of(Trust::good), calibrated(), 0);
    EXPECT_FALSE(other[0].has_interval());
    std::vector<NamedSeries> plain = {{"max_buildup", "bar", "", {1.0, 10.0}}};
    add_intervals(plain, verdicts_of(Trust::good), {}, 0);
    EXPECT_TRUE(plain[0].low.empty());
}

}  // namespace
}  // namespace plumecast
