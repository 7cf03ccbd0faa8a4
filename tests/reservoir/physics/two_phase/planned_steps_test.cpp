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
    for (const PlannedStep& step : planned_steps(ramp_pause_stop, 900.0, 40000.0, {.longest_at_rest = longest})) {
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

/// With 29 substeps and a time since the change that grows fourfold, where rounding might add one.
TEST(PlannedSteps, AreNotOneMoreByRounding) {
    EXPECT_EQ(planned_steps(ramp_pause_stop, 110.0, 140.0, {.substeps = 29}).size(), 29U);
}

constexpr StepCount by_growth{.substeps = 2};

TEST(PlannedTimes, FollowTheGrowthOfTime) {
    const InjectionSchedule constant{{1e6}, {0.5}};
    const std::vector<double> times = planned_times(constant, 10000.0, by_growth);
    ASSERT_EQ(times.size(), 27U);  // ln(10002.5 / 2.5) / ln 1.36 = 26.97
    for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_NEAR(times[i], 2.5 * std::pow(1.36, static_cast<double>(i + 1)) - 2.5, 1e-9 * times[i]);
    }
}

TEST(PlannedTimes, AreTheSameUntilAnEarlierSnapshot) {
    const std::vector<double> many = planned_times(ramp_pause_stop, 40000.0, by_growth);
    const std::vector<double> few = planned_times(ramp_pause_stop, 5000.0, by_growth);
    EXPECT_LT(few.size(), many.size());
    EXPECT_EQ(few, std::vector<double>(many.begin(), many.begin() + static_cast<std::ptrdiff_t>(few.size())));
}

TEST(PlannedTimes, BeginWithTheFirstInjection) {
    const InjectionSchedule at_once{{1e6}, {0.5}}, late{{2000.0, 1e6}, {0.0, 0.5}};
    const std::vector<double> expected = planned_times(at_once, 3000.0, by_growth);
    const std::vector<double> times = planned_times(late, 5000.0, by_growth);
    ASSERT_EQ(times.size(), expected.size() + 1);
    EXPECT_EQ(times.front(), 2000.0);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(times[i + 1], 2000.0 + expected[i], 1e-9);
    }
    EXPECT_EQ(planned_times(late, 1500.0, by_growth), std::vector<double>{2000.0});
    EXPECT_EQ(planned_times({{}, {}}, 30.0, by_growth), planned_times(at_once, 30.0, by_growth));
}

TEST(PlannedSteps, GrowWithTheTimeSinceTheFirstInjection) {
    const InjectionSchedule at_once{{1e6}, {0.5}}, late{{2000.0, 1e6}, {0.0, 0.5}};
    for (const auto& [start, end] : {std::pair(0.0, 0.9), {0.9, 2.124}, {700.0, 953.0}}) {
        const std::vector<double> expected = step_ends(start, end, 2);
        const std::vector<PlannedStep> steps = planned_steps(at_once, start, end, by_growth);
        const std::vector<PlannedStep> later = planned_steps(late, 2000.0 + start, 2000.0 + end, by_growth);
        ASSERT_EQ(steps.size(), 2U);
        ASSERT_EQ(later.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(steps[i].end, expected[i], 1e-9);
            EXPECT_NEAR(later[i].end, 2000.0 + expected[i], 1e-9);
            EXPECT_EQ(later[i].rate, 0.5);
        }
    }
    EXPECT_EQ(planned_steps(late, 0.0, 2000.0, by_growth).back().rate, 0.0);
    // After changes of the rate by the time since these.
    EXPECT_EQ(planned_steps(ramp_pause_stop, 101.0, 227.9, by_growth).size(), 7U);
    EXPECT_EQ(planned_steps(ramp_pause_stop, 400.0, 500.0, by_growth).size(), 4U);
}

/// What go_through() does: ends of steps, and the shares of states in snapshots.
struct Way {
    std::vector<double> ends;
    std::vector<double> sums, times;  // of the shares in each snapshot, and of these with the days of the states

    Way(const InjectionSchedule& injection, const std::vector<double>& snapshots, const StepCount& count)
        : sums(snapshots.size()), times(snapshots.size()) {
        double now = 0.0;
        go_through(
            injection, snapshots, count,
            [&](double from, const PlannedStep& step) {
                EXPECT_EQ(from, now);
                EXPECT_GT(step.end, now);
                ends.push_back(now = step.end);
            },
            [&](std::size_t snapshot, double share) {
                EXPECT_GE(share, 0.0);
                sums[snapshot] += share;
                times[snapshot] += share * now;
            });
    }
};

TEST(GoThrough, MakesEachSnapshotOfTheStatesBesideIt) {
    // Two in one step, and one where a period ends.
    const std::vector<double> snapshots{0.0, 0.3, 77.0, 77.1, 250.0, 399.9999, 5000.0, 30000.0};
    const Way way(ramp_pause_stop, snapshots, by_growth);
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
        EXPECT_NEAR(way.sums[i], 1.0, 1e-12);
        EXPECT_NEAR(way.times[i], snapshots[i], 1e-6 * snapshots[i]);
    }
}

/// Times of two data sets may differ by their rounding.
TEST(GoThrough, TellsOfSnapshotsThatAreTheSameOnceEach) {
    const double end = planned_times(ramp_pause_stop, 50.0, by_growth)[6];
    const std::vector<double> snapshots{end * (1.0 - 1e-9), end, end * (1.0 + 1e-9)};
    const Way way(ramp_pause_stop, snapshots, by_growth);
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
        EXPECT_EQ(way.sums[i], 1.0);
        EXPECT_EQ(way.times[i], end);
    }
    EXPECT_EQ(way.ends.back(), end);
}

TEST(GoThrough, TakesTheSameStepsWhateverTheSnapshotsAre) {
    std::vector<double> monthly;
    for (int month = 1; month <= 400; ++month) {
        monthly.push_back(30.0 * month);
    }
    EXPECT_EQ(Way(ramp_pause_stop, monthly, by_growth).ends, Way(ramp_pause_stop, {12000.0}, by_growth).ends);
    const std::vector<double> ends = Way(ramp_pause_stop, {12000.0}, by_growth).ends;
    EXPECT_GE(ends.back(), 12000.0);
    EXPECT_LT(ends[ends.size() - 2], 12000.0);
}

TEST(JoinedPressure, IsThatOfWhatIsInjectedBesideASnapshot) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(joined_pressure(none, 120.0, 0.75), 120.0F);
    EXPECT_EQ(joined_pressure(100.0F, 120.0, 0.75), 115.0F);
    EXPECT_TRUE(std::isnan(joined_pressure(100.0F, std::numeric_limits<double>::quiet_NaN(), 0.75)));
}

}  // namespace
}  // namespace plumecast::two_phase
