#include "reservoir/physics/two_phase/planned_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/units.hpp"
#include "reservoir/physics/time_steps.hpp"

namespace plumecast::two_phase {
namespace {

const InjectionSchedule ramp_pause_stop{{100.0, 250.0, 400.0, 900.0}, {0.5, 1.0, 0.0, 0.7}};

TEST(PlannedSteps, AreThoseOfAConstantRateUntilThePeriodEnds) {
    const InjectionSchedule endless{{std::numeric_limits<double>::infinity()}, {0.5}};
    for (const InjectionSchedule& injection : {endless, InjectionSchedule{{1e5}, {0.5}}}) {
        for (const double start : {0.0, 30.0}) {
            const std::vector<double> expected = step_ends(start, 80.0, 3);
            const std::vector<PlannedStep> steps = planned_steps(injection, start, 80.0, {.substeps = 3});
            ASSERT_EQ(steps.size(), expected.size());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                EXPECT_EQ(steps[i].end, expected[i]);
                EXPECT_EQ(steps[i].rate, 0.5);
            }
        }
    }
}

TEST(PlannedSteps, EndWhereEachPeriodEndsAndHaveItsRate) {
    const std::vector<PlannedStep> steps = planned_steps(ramp_pause_stop, 50.0, 2000.0, {.substeps = 2});
    std::vector<double> found;
    double now = 50.0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_GT(steps[i].end, now);
        EXPECT_EQ(steps[i].rate, ramp_pause_stop.rate(steps[i].end));
        EXPECT_EQ(steps[i].rate, ramp_pause_stop.rate(0.5 * (now + steps[i].end)));
        if (i + 1 == steps.size() || steps[i + 1].rate != steps[i].rate) {
            found.push_back(steps[i].end);
        }
        now = steps[i].end;
    }
    EXPECT_EQ(found, (std::vector<double>{100.0, 250.0, 400.0, 900.0, 2000.0}));
}

/// Days in single precision differ by less than a millionth.
TEST(PlannedSteps, TakeAnEndBesideATimeForThatTime) {
    for (const double time : {std::nextafter(250.0, 0.0), std::nextafter(250.0, 300.0), 250.0001, 249.9999}) {
        const std::vector<PlannedStep> before = planned_steps(ramp_pause_stop, 100.0, time, {.substeps = 2});
        const std::vector<PlannedStep> exact = planned_steps(ramp_pause_stop, 100.0, 250.0, {.substeps = 2});
        ASSERT_EQ(before.size(), exact.size()) << time;
        EXPECT_EQ(before.back().end, time);
        EXPECT_EQ(before.back().rate, 1.0);
        const std::vector<PlannedStep> after = planned_steps(ramp_pause_stop, time, 300.0, {.substeps = 2});
        EXPECT_EQ(after.size(), planned_steps(ramp_pause_stop, 250.0, 300.0, {.substeps = 2}).size());
        EXPECT_EQ(after.front().rate, 0.0);
        EXPECT_GT(after.front().end, time + 0.5);
        EXPECT_EQ(period_at(ramp_pause_stop.ends, time), 1U);
    }
    EXPECT_EQ(period_at(ramp_pause_stop.ends, 250.1), 2U);
    EXPECT_EQ(period_at(ramp_pause_stop.ends, 901.0), 4U);
}

TEST(PlannedSteps, BeginTheNextPeriodAtATimeThatEndsOne) {
    EXPECT_EQ(planned_steps(ramp_pause_stop, 50.0, 100.0, {.substeps = 1}).back().rate, ramp_pause_stop.rates[0]);
    EXPECT_EQ(planned_steps(ramp_pause_stop, 100.0, 101.0, {.substeps = 1}).front().rate, ramp_pause_stop.rates[1]);
    EXPECT_EQ(planned_steps(ramp_pause_stop, 0.0, 100.0, {.substeps = 2}).size(), 2U);
    EXPECT_TRUE(planned_steps(ramp_pause_stop, 100.0, 100.0, {.substeps = 2}).empty());
}

TEST(PlannedSteps, GrowAfterAChangeOfTheRate) {
    for (const int substeps : {1, 2, 8}) {
        const std::vector<PlannedStep> steps = planned_steps(ramp_pause_stop, 100.0, 250.0, {.substeps = substeps});
        ASSERT_EQ(steps.size(), 2U * static_cast<std::size_t>(substeps));
        const double growth = (steps[1].end - steps[0].end) / (steps[0].end - 100.0);
        EXPECT_GT(growth, 1.0);
        for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
            EXPECT_NEAR((steps[i + 1].end - steps[i].end) / (steps[i].end - steps[i - 1].end), growth, 1e-6);
        }
    }
}

TEST(PlannedSteps, AreMoreWhereATimeFollowsShortlyAfterAChange) {
    const std::vector<PlannedStep> steps = planned_steps(ramp_pause_stop, 101.0, 227.9, {.substeps = 2});
    EXPECT_EQ(steps.size(), 7U);  // 127.9 times as long after the change: a factor of 4 nearly 3.5 times
    EXPECT_NEAR(steps[0].end, 100.0 + std::pow(127.9, 1.0 / 7.0), 1e-9);
    EXPECT_EQ(planned_steps(ramp_pause_stop, 102.0, 103.0, {.substeps = 2}).size(), 2U);
}

TEST(PlannedSteps, AreAtMostFiveYearsOnceInjectionHasStopped) {
    const double longest = 5.0 * days_per_year;
    double now = 900.0;
    for (const PlannedStep& step : planned_steps(ramp_pause_stop, 900.0, 40000.0, {.substeps = 1})) {
        EXPECT_LE(step.end - now, longest * (1.0 + 1e-12));
        now = step.end;
    }
    EXPECT_EQ(now, 40000.0);
    // Neither before injection begins nor during it.
    const InjectionSchedule late{{1e5, 2e5}, {0.0, 1.0}};
    EXPECT_EQ(planned_steps(late, 0.0, 9e4, {.substeps = 1}).size(), 1U);
    EXPECT_EQ(planned_steps(late, 1.5e5, 2e5, {.substeps = 1}).size(), 1U);
}

TEST(PlannedSteps, AreAsShortAtRestAsAskedFor) {
    const double longest = 2.0 * days_per_year;
    double now = 900.0, most = 0.0;
    for (const PlannedStep& step :
         planned_steps(ramp_pause_stop, 900.0, 40000.0, {.grows_from = 2.5, .longest_at_rest = longest})) {
        most = std::max(most, step.end - now);
        now = step.end;
    }
    EXPECT_LE(most, longest * (1.0 + 1e-12));
    EXPECT_GT(most, 0.8 * longest);
}

TEST(PlannedSteps, AreMoreOnceAllIsInjected) {
    const auto count = [](const InjectionSchedule& injection, double start, double end, int times_at_end) {
        return planned_steps(injection, start, end, {.substeps = 2, .times_at_end = times_at_end}).size();
    };
    EXPECT_EQ(count(ramp_pause_stop, 500.0, 900.0, 3), count(ramp_pause_stop, 500.0, 900.0, 1));
    EXPECT_EQ(count(ramp_pause_stop, 900.0, 1000.0, 3), 3U * count(ramp_pause_stop, 900.0, 1000.0, 1));
    const InjectionSchedule stated{{100.0, 300.0}, {1.0, 0.0}};  // a schedule that states the rest
    const InjectionSchedule paused{{100.0, 300.0, 400.0}, {1.0, 0.0, 1.0}};
    EXPECT_EQ(count(stated, 100.0, 200.0, 3), 12U);
    EXPECT_EQ(count(paused, 100.0, 200.0, 3), 4U);
}

/// Steps from one time to another in the first period, at 2.5 days and `substeps`.
std::vector<PlannedStep> growing_steps(const InjectionSchedule& injection, double start, double end, int substeps) {
    return planned_steps(injection, start, end, {.substeps = substeps, .grows_from = 2.5});
}

TEST(PlannedSteps, FollowTheGrowthOfTimeAsSnapshotsThatGrowByIt) {
    const InjectionSchedule constant{{1e6}, {0.5}};
    // Those of generate(): each interval is longer than the one before by 1.36 or 1.42.
    for (const double growth : {1.3586, 1.4225}) {
        for (const int substeps : {1, 2, 3, 4}) {
            double now = 0.0, interval = 1.0;
            for (int snapshot = 0; snapshot < 24; ++snapshot, interval *= growth) {
                const std::vector<PlannedStep> steps = growing_steps(constant, now, now + interval, substeps);
                EXPECT_EQ(steps.size(), static_cast<std::size_t>(substeps)) << growth << ' ' << now;
                EXPECT_EQ(steps.back().end, now + interval);
                now += interval;
            }
        }
    }
}

/// Of a constant rate through some snapshots.
double count_of_steps(const std::vector<double>& times, int substeps) {
    double steps = 0.0, now = 0.0;
    for (const double time : times) {
        steps += static_cast<double>(growing_steps({{1e6}, {0.5}}, now, time, substeps).size());
        now = time;
    }
    return steps;
}

TEST(PlannedSteps, AreAboutTheSameForFewSnapshotsOfAnyTimes) {
    const double one = count_of_steps({10000.0}, 4);
    EXPECT_EQ(one, 99.0);  // 4 ln(10002.5 / 2.5) / ln 1.4
    EXPECT_NEAR(count_of_steps({365.0, 3652.5, 10000.0}, 4), one, 2);
    EXPECT_NEAR(count_of_steps({1.0, 10.0, 100.0, 1000.0, 10000.0}, 4), one, 3);
}

TEST(PlannedSteps, AreAsManyAsAskedForBetweenCloseSnapshots) {
    std::vector<double> monthly;
    for (double time = 3000.0; time < 4000.0; time += 30.0) {
        monthly.push_back(time);
    }
    for (const int substeps : {1, 2, 4}) {
        const double before = count_of_steps({3000.0}, substeps);
        EXPECT_EQ(count_of_steps(monthly, substeps), before + substeps * static_cast<double>(monthly.size() - 1));
    }
}

/// To the bit, with 29 substeps and a time since the change that grows fourfold, where rounding might add one.
TEST(PlannedSteps, OfEarlierVersionsAreAsManyAsEver) {
    EXPECT_EQ(planned_steps(ramp_pause_stop, 110.0, 140.0, {.substeps = 29}).size(), 29U);
}

TEST(PlannedSteps, GrowWithTheTimeAndAFewDays) {
    const std::vector<PlannedStep> steps = growing_steps({{1e6}, {0.5}}, 0.0, 1000.0, 2);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(steps.size());
        EXPECT_NEAR(steps[i].end, 2.5 * std::pow(1002.5 / 2.5, share) - 2.5, 1e-9);
    }
}

TEST(PlannedSteps, FollowTheGrowthSinceTheFirstInjection) {
    const InjectionSchedule at_once{{1e6}, {0.5}}, late{{2000.0, 1e6}, {0.0, 0.5}};
    for (const auto& [start, end] : {std::pair(0.0, 30.0), {0.0, 4000.0}, {30.0, 4000.0}, {700.0, 900.0}}) {
        const std::vector<PlannedStep> expected = growing_steps(at_once, start, end, 2);
        const std::vector<PlannedStep> steps = growing_steps(late, 2000.0 + start, 2000.0 + end, 2);
        ASSERT_EQ(steps.size(), expected.size()) << start << ' ' << end;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            EXPECT_NEAR(steps[i].end, 2000.0 + expected[i].end, 1e-8);
            EXPECT_EQ(steps[i].rate, 0.5);
        }
    }
    EXPECT_EQ(growing_steps(late, 0.0, 2000.0, 2).back().rate, 0.0);
}

TEST(PlannedSteps, FollowTheGrowthSinceAChangeOfTheRateToo) {
    // A factor of 4 nearly 3.5 times, of the time since the change.
    EXPECT_EQ(growing_steps(ramp_pause_stop, 101.0, 227.9, 2).size(), 7U);
    // Time grows by 1.4 five times, that since the change by 4 less than three times.
    EXPECT_EQ(growing_steps(ramp_pause_stop, 1100.0, 6000.0, 2).size(), 10U);
    EXPECT_EQ(growing_steps(ramp_pause_stop, 102.0, 103.0, 2).size(), 2U);
    // From the change on: 2 substeps, and more to a time long after it.
    EXPECT_EQ(growing_steps(ramp_pause_stop, 400.0, 500.0, 2).size(), 4U);
    EXPECT_EQ(growing_steps(ramp_pause_stop, 900.0, 9000.0, 2).size(), 14U);
}

}  // namespace
}  // namespace plumecast::two_phase
