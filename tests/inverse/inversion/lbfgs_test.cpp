#include "inverse/inversion/lbfgs.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

double rosenbrock(const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
    const double a = 1.0 - at[0], b = at[1] - at[0] * at[0];
    gradient[0] = -2.0 * a - 400.0 * at[0] * b;
    gradient[1] = 200.0 * b;
    return a * a + 100.0 * b * b;
}

TEST(Lbfgs, FindsTheMinimumOfABentValley) {
    const Minimum found = minimised(rosenbrock, Eigen::Vector2d(-1.2, 1.0), {.evaluations = 300, .tolerance = 1e-14});
    EXPECT_NEAR(found.at[0], 1.0, 1e-4);
    EXPECT_NEAR(found.at[1], 1.0, 1e-4);
    EXPECT_FALSE(found.is_at_limit);
}

TEST(Lbfgs, KeepsTheBestPointWhereTheLimitEndsTheSearch) {
    int calls = 0;
    double least = std::numeric_limits<double>::infinity();
    const auto counted = [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
        ++calls;
        const double value = rosenbrock(at, gradient);
        least = std::min(least, value);
        return value;
    };
    const Minimum found = minimised(counted, Eigen::Vector2d(-1.2, 1.0), {.evaluations = 9});
    EXPECT_TRUE(found.is_at_limit);
    EXPECT_EQ(found.evaluations, calls);
    EXPECT_LE(calls, 10);
    EXPECT_EQ(found.value, least);
}

TEST(Lbfgs, StaysAwayFromPointsWithoutAValue) {
    const auto half = [](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
        gradient[0] = 1.0 - 1.0 / at[0];
        return at[0] > 0.0 ? at[0] - std::log(at[0]) : std::numeric_limits<double>::quiet_NaN();
    };
    const Minimum found = minimised(half, Eigen::VectorXd::Constant(1, 3.0), {.evaluations = 60});
    EXPECT_NEAR(found.at[0], 1.0, 1e-2);
}

TEST(Lbfgs, SaysWhereABoundEndsTheSearchAndLeavesRoomForFarStarts) {
    const auto far = [](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
        gradient = at - Eigen::Vector2d(15.0, 1.0);
        return 0.5 * gradient.squaredNorm();
    };
    const Minimum ended = minimised(far, Eigen::Vector2d::Zero(), {});
    EXPECT_TRUE(ended.is_at_bound);
    EXPECT_DOUBLE_EQ(ended.at[0], 10.0);
    const Minimum found = minimised(far, Eigen::Vector2d(12.0, 0.0), {});
    EXPECT_FALSE(found.is_at_bound);
    EXPECT_NEAR(found.at[0], 15.0, 1e-3);
}

TEST(Lbfgs, PassesOnWhatTheFunctionThrows) {
    const auto stops = [](const Eigen::VectorXd&, Eigen::VectorXd&) -> double { throw Interrupted(); };
    EXPECT_THROW(minimised(stops, Eigen::VectorXd::Zero(2), {}), Interrupted);
}

}  // namespace
}  // namespace plumecast
