#include "reservoir/metrics/limited_rate.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {
namespace {

/// Half of what a schedule asks for is injected until each time.
std::optional<LimitedRate> of_half(InjectionSchedule schedule, const std::vector<double>& times) {
    CaseFields fields;
    fields.injection_rate = 1.0;
    fields.schedule = std::move(schedule);
    fields.bottom_hole_pressure_limit = 200.0;
    for (const double day : times) {
        fields.injected_mass.push_back(0.5 * fields.injected(day));
    }
    return limited_rate(fields, times);
}

TEST(LimitedRate, EndsWithTheInjectionAndNotWithTheTimeAfterIt) {
    const auto limited = of_half({{2000.0}, {1.0}}, {1000.0, 5000.0});
    ASSERT_TRUE(limited);
    EXPECT_EQ(limited->from, 0.0);
    EXPECT_EQ(limited->to, 2000.0);
}

TEST(LimitedRate, LeavesOutDaysWithoutARateAtBothEnds) {
    const auto limited = of_half({{300.0, 900.0, 2000.0, 3000.0}, {0.0, 1.0, 0.0, 1.0}}, {100.0, 1500.0});
    ASSERT_TRUE(limited);
    EXPECT_EQ(limited->from, 300.0);
    EXPECT_EQ(limited->to, 900.0);
}

TEST(LimitedRate, LastsUntilTheLastTimeOfAConstantRate) {
    const auto limited = of_half({}, {1000.0, 5000.0});
    ASSERT_TRUE(limited);
    EXPECT_EQ(limited->from, 0.0);
    EXPECT_EQ(limited->to, 5000.0);
}

}  // namespace
}  // namespace plumecast
