#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "inverse/optimization/search/design_problem.hpp"

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A problem whose value at a point is that of a function.
template <class Value>
DesignProblem problem_of(std::vector<DesignVariable> variables, std::vector<std::string> limits, Value value) {
    return {std::move(variables), std::move(limits), [value](const DesignPoints& points) {
                std::vector<DesignValue> values;
                for (const auto& point : points) {
                    values.push_back(value(point));
                }
                return values;
            }};
}

/// Injection into a confined layer: three periods of ten years each. After each the pressure has risen by
/// r (ln 1000 + 2 m) with the rate r and the mass m so far, which is limited; so is the root of the mass, a radius.
DesignValue stand_in(const std::vector<double>& rates) {
    double mass = 0.0, most = 0.0;
    for (const double rate : rates) {
        mass += 10.0 * rate;
        most = std::max(most, 20.0 * rate + 0.5 * mass);
    }
    return {mass, {most - 50.0, 1000.0 * std::sqrt(mass) - 6000.0}};
}

const std::vector<DesignVariable> three_rates = {{"rate of period 0", "Mt/year", 0.0, 5.0},
                                                 {"rate of period 1", "Mt/year", 0.0, 5.0},
                                                 {"rate of period 2", "Mt/year", 0.0, 5.0}};

TEST(Optimizer, FindsAKnownOptimumToATenthOfAPercent) {
    // The pressure binds in all periods: 25 r0 = 50, 25 r1 = 50 - 5 r0, 25 r2 = 50 - 5 (r0 + r1).
    const double expected = 10.0 * (2.0 + 1.6 + 1.28);
    DesignSearch search;
    search.evaluations = 300;
    const DesignOptimum found = optimize(problem_of(three_rates, {"pressure"},
                                                    [](const auto& rates) {
                                                        DesignValue value = stand_in(rates);
                                                        value.excess.pop_back();
                                                        return value;
                                                    }),
                                         search);
    EXPECT_TRUE(found.is_feasible);
    EXPECT_NEAR(found.value.objective, expected, 1e-3 * expected);
    EXPECT_LE(found.value.excess[0], 0.0);
    EXPECT_THAT(found.binding, ElementsAre("pressure"));
}

TEST(Optimizer, TellsWhichLimitBinds) {
    const DesignOptimum found = optimize(problem_of(three_rates, {"pressure", "radius"}, stand_in), {});
    EXPECT_TRUE(found.is_feasible);
    EXPECT_NEAR(found.value.objective, 36.0, 0.036);
    EXPECT_THAT(found.binding, ElementsAre("radius"));
    EXPECT_THAT(found.not_met, IsEmpty());
}

TEST(Optimizer, FindsTheOptimumInACurvedCorner) {
    // Largest x + y with x^2 + y^2 <= 1 and y <= x / 2: at (2, 1) / sqrt(5).
    const DesignOptimum found =
        optimize(problem_of({{"x", "1", -2.0, 2.0}, {"y", "1", -2.0, 2.0}}, {"circle", "line"},
                            [](const auto& p) {
                                return DesignValue{p[0] + p[1], {p[0] * p[0] + p[1] * p[1] - 1.0, p[1] - 0.5 * p[0]}};
                            }),
                 {});
    EXPECT_TRUE(found.is_feasible);
    EXPECT_NEAR(found.value.objective, 3.0 / std::sqrt(5.0), 1e-3 * 3.0 / std::sqrt(5.0));
    EXPECT_THAT(found.binding, ElementsAre("circle", "line"));
}

TEST(Optimizer, ReachesTheEndOfARangeWhereNoLimitBinds) {
    const DesignOptimum found = optimize(problem_of({{"rate", "Mt/year", 0.0, 2.0}}, {"radius"},
                                                    [](const auto& p) {
                                                        return DesignValue{p[0], {p[0] - 100.0}};
                                                    }),
                                         {});
    EXPECT_NEAR(found.point[0], 2.0, 2e-3);
    EXPECT_THAT(found.binding, IsEmpty());
}

TEST(Optimizer, SaysWhichLimitCannotBeMetAndByHowMuch) {
    // At the lowest rate the pressure is 60 of 50 that are allowed; the radius can be kept.
    const DesignOptimum found = optimize(problem_of({{"rate", "Mt/year", 3.0, 5.0}}, {"pressure", "radius"},
                                                    [](const auto& p) {
                                                        return DesignValue{p[0], {20.0 * p[0] - 50.0, p[0] - 4.0}};
                                                    }),
                                         {});
    EXPECT_FALSE(found.is_feasible);
    EXPECT_THAT(found.not_met, ElementsAre("pressure"));
    EXPECT_NEAR(found.value.excess[0], 10.0, 0.05);
    EXPECT_LE(found.value.excess[1], 0.0);
}

TEST(Optimizer, TakesThePointBetweenLimitsThatContradictEachOther) {
    const DesignOptimum found = optimize(problem_of({{"x", "m", 0.0, 10.0}}, {"at most 4", "at least 6"},
                                                    [](const auto& p) {
                                                        return DesignValue{p[0], {p[0] - 4.0, 6.0 - p[0]}};
                                                    }),
                                         {});
    EXPECT_FALSE(found.is_feasible);
    EXPECT_THAT(found.not_met, ElementsAre("at most 4", "at least 6"));
    EXPECT_NEAR(found.point[0], 5.0, 0.02);
}

TEST(Optimizer, KeepsTheBestPointWithinTheLimitsWhateverTheAlgorithmSays) {
    // A limit that jumps, as a quantile does, where COBYLA ends outside: linear models of it are wrong on both sides.
    const auto value = [](const std::vector<double>& p) {
        const double radius = std::hypot(p[0] - 0.5, p[1] - 0.5);
        return DesignValue{p[0] + p[1], {radius < 0.3 ? -1.0 : 1.0}};
    };
    const DesignOptimum found = optimize(problem_of({{"x", "1", 0.0, 1.0}, {"y", "1", 0.0, 1.0}}, {"jump"}, value), {});
    EXPECT_TRUE(found.is_feasible);
    EXPECT_EQ(found.value.excess[0], -1.0);
    EXPECT_GT(found.restarts, 0);
    EXPECT_THAT(found.binding, ElementsAre("jump"));
    EXPECT_GE(found.value.objective, 1.36);  // 1.424 is possible
}

TEST(Optimizer, GoesUpToALimitThatJumps) {
    const auto value = [](const std::vector<double>& p) {
        return DesignValue{p[0], {p[0] < 0.6789 ? p[0] - 3.0 : p[0] + 1.0}};
    };
    const DesignOptimum found = optimize(problem_of({{"rate", "Mt/year", 0.0, 1.0}}, {"radius"}, value), {});
    EXPECT_TRUE(found.is_feasible);
    EXPECT_NEAR(found.point[0], 0.6789, 1e-3);
    EXPECT_THAT(found.binding, ElementsAre("radius"));
}

TEST(Optimizer, TakesAValueThatIsNotKnownForABrokenLimit) {
    const auto value = [](const std::vector<double>& p) {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        return DesignValue{p[0], {p[0] > 0.6 ? unknown : p[0] - 0.7}};
    };
    const DesignOptimum found = optimize(problem_of({{"x", "1", 0.0, 1.0}}, {"pressure"}, value), {});
    EXPECT_TRUE(found.is_feasible);
    EXPECT_LE(found.point[0], 0.6);
    EXPECT_GE(found.point[0], 0.599);
}

TEST(Optimizer, TriesTheFirstPointsInOneCall) {
    std::vector<std::size_t> calls;
    const DesignProblem problem{{{"x", "1", 0.0, 1.0}}, {}, [&](const DesignPoints& points) {
                                    calls.push_back(points.size());
                                    std::vector<DesignValue> values;
                                    for (const auto& point : points) {
                                        values.push_back({point[0], {}});
                                    }
                                    return values;
                                }};
    DesignSearch search;
    search.points = 16;
    search.starts = {{0.9}};
    optimize(problem, search);
    ASSERT_FALSE(calls.empty());
    EXPECT_EQ(calls[0], 17);
    EXPECT_EQ(calls[1], 1);
}

TEST(Optimizer, GivesTheSameOptimumEachTime) {
    const DesignProblem problem = problem_of(three_rates, {"pressure", "radius"}, stand_in);
    EXPECT_EQ(optimize(problem, {}).point, optimize(problem, {}).point);
}

TEST(Optimizer, PassesOnWhatTheProblemThrows) {
    int calls = 0;
    const DesignProblem problem{{{"x", "1", 0.0, 1.0}}, {"limit"}, [&](const DesignPoints& points) {
                                    if (++calls == 4) {
                                        throw Interrupted();
                                    }
                                    return std::vector<DesignValue>(points.size(), {0.0, {-1.0}});
                                }};
    EXPECT_THROW(optimize(problem, {}), Interrupted);
    EXPECT_EQ(calls, 4);
}

TEST(Optimizer, RefusesARangeWithoutChoice) {
    const DesignProblem problem =
        problem_of({{"rate of period 0", "Mt/year", 1.0, 1.0}}, {}, [](const auto&) { return DesignValue(); });
    try {
        optimize(problem, {});
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("rate of period 0 may lie from 1 to 1 Mt/year"));
    }
}

}  // namespace
}  // namespace plumecast
