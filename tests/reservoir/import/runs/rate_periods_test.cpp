#include "reservoir/import/runs/rate_periods.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::IsEmpty;

constexpr double year = 365.25;

std::vector<double> ends_of(const std::vector<RatePeriod>& periods) {
    std::vector<double> ends;
    for (const RatePeriod& period : periods) {
        ends.push_back(period.end);
    }
    return ends;
}

TEST(RatePeriods, JoinStepsOfOneRateAndKeepPauses) {
    const RunningTotal mass{{0, 10, 20, 25, 30, 40, 50}, {0, 1, 2, 2, 2, 4, 6}};
    const std::vector<RatePeriod> periods = rate_periods(mass);
    ASSERT_THAT(ends_of(periods), ElementsAre(20, 30, 50));
    EXPECT_NEAR(periods[0].rate, 0.1 * year, 1e-9);
    EXPECT_EQ(periods[1].rate, 0.0);
    EXPECT_NEAR(periods[2].rate, 0.2 * year, 1e-9);
    EXPECT_NEAR(mean_rate({periods}), 6.0 / 50.0 * year, 1e-9);
}

TEST(RatePeriods, OfASteadyInjectionInSinglePrecisionAreOne) {
    RunningTotal mass;
    for (int i = 0; i <= 1000; ++i) {
        const auto day = static_cast<float>(0.37 * i);
        mass.add(static_cast<double>(day), static_cast<double>(0.123456F * day));
    }
    EXPECT_THAT(rate_periods(mass), ::testing::SizeIs(1));
}

TEST(RatePeriods, AmountToARampOnAllDays) {
    RunningTotal mass;
    for (int i = 0; i <= 500; ++i) {
        mass.add(i, i * i / 500.0);
    }
    const std::vector<RatePeriod> periods = rate_periods(mass);
    double sum = 0.0, before = 0.0;
    std::size_t at = 0;
    for (const RatePeriod& period : periods) {
        for (; at < mass.days.size() && mass.days[at] <= period.end; ++at) {
            const double here = sum + period.rate / year * (mass.days[at] - before);
            EXPECT_NEAR(here, mass.values[at], 1e-4 * mass.values[at]);
        }
        sum += period.rate / year * (period.end - before);
        before = period.end;
    }
    EXPECT_NEAR(sum, 500.0, 1e-9);
    EXPECT_LT(periods.size(), 450u);
}

TEST(RatePeriods, OfSeveralCasesShareTheirEnds) {
    const std::vector<std::vector<RatePeriod>> cases = {{{10.0, 1.0}, {30.0, 0.0}}, {{10.0000001, 2.0}, {20.0, 3.0}}};
    const std::vector<double> ends = common_ends({{cases[0]}, {cases[1]}});
    EXPECT_EQ(common_ends({cases}), ends) << "two wells of a case";
    ASSERT_THAT(ends, ElementsAre(10.0, 20.0, 30.0));
    EXPECT_THAT(rates_within(cases[0], ends), ElementsAre(1.0F, 0.0F, 0.0F));
    EXPECT_THAT(rates_within(cases[1], ends), ElementsAre(2.0F, 3.0F, 0.0F));
}

TEST(RatePeriods, OfSeveralWellsHaveTheMeanUntilTheLastInjection) {
    EXPECT_DOUBLE_EQ(mean_rate({{{10.0, 1.0}, {30.0, 0.0}}, {{10.0, 0.0}, {20.0, 3.0}}}), 2.0);
}

TEST(RatePeriods, OfNothingHaveTheMeanZero) {
    EXPECT_EQ(mean_rate({}), 0.0);
    EXPECT_EQ(mean_rate({{{10.0, 0.0}}}), 0.0);
    EXPECT_THAT(rate_periods({{0.0}, {0.0}}), IsEmpty());
    EXPECT_THAT(rates_within({}, {1.0}), ElementsAre(FloatNear(0.0F, 0.0F)));
}

}  // namespace
}  // namespace plumecast
