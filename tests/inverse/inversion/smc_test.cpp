#include "inverse/inversion/smc.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"
#include "inverse/inversion/random_matrices.hpp"

namespace plumecast {
namespace {

using AnalyticLogLikelihood = std::function<double(const Eigen::VectorXd& coordinates)>;

/// Members with a likelihood that costs nothing.
class AnalyticMembers : public SmcMembers {
   public:
    explicit AnalyticMembers(AnalyticLogLikelihood log_likelihood) : log_likelihood_(std::move(log_likelihood)) {}
    Eigen::VectorXd propose(const Eigen::MatrixXd& coordinates) override {
        Eigen::VectorXd values(coordinates.cols());
        for (Eigen::Index j = 0; j < coordinates.cols(); ++j) {
            values[j] = log_likelihood_(coordinates.col(j));
        }
        return values;
    }
    void accept(const std::vector<bool>& is_accepted) override { asked += is_accepted.size(); }
    void resample(const std::vector<Eigen::Index>&) override {}

    std::size_t asked = 0;

   private:
    AnalyticLogLikelihood log_likelihood_;
};

SmcState sampled(const AnalyticLogLikelihood& log_likelihood, Eigen::Index components, Eigen::Index count,
                 const SmcSettings& settings, std::size_t* asked = nullptr) {
    AnalyticMembers members(log_likelihood);
    SmcState state = prior_state(components, count, settings.seed);
    state.log_likelihood = members.propose(state.coordinates);
    std::size_t moves = 0;
    while (state.temperature < 1.0) {
        advance(state, members, settings);
        moves += static_cast<std::size_t>(state.moves);
    }
    EXPECT_EQ(members.asked, moves * static_cast<std::size_t>(count));
    if (asked != nullptr) {
        *asked = members.asked;
    }
    return state;
}

/// A linear model with normal unknowns and errors, whose posterior is known.
struct LinearProblem {
    LinearProblem(Eigen::Index unknowns, Eigen::Index data, double with_error)
        : error(with_error), map(normal_matrix(data, unknowns, "linear map")) {
        truth = normal_matrix(unknowns, 1, "truth");
        observed = map * truth + error * normal_matrix(data, 1, "errors");
        const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(unknowns, unknowns);
        covariance = (one + map.transpose() * map / (error * error)).inverse();
        mean = covariance * map.transpose() * observed / (error * error);
    }
    AnalyticLogLikelihood log_likelihood() const {
        return [this](const Eigen::VectorXd& z) { return -0.5 * (observed - map * z).squaredNorm() / (error * error); };
    }
    /// Variances [K] of members over those of the posterior.
    Eigen::ArrayXd variance_ratios(const Eigen::MatrixXd& members) const {
        const Eigen::MatrixXd anomalies = members.colwise() - members.rowwise().mean();
        return anomalies.rowwise().squaredNorm().array() / static_cast<double>(members.cols() - 1) /
               covariance.diagonal().array();
    }

    double error;
    Eigen::MatrixXd map, covariance;
    Eigen::VectorXd truth, observed, mean;
};

TEST(Smc, MeetsTheExactPosteriorOfALinearGaussianProblem) {
    const LinearProblem problem(5, 4, 0.3);
    const SmcState state = sampled(problem.log_likelihood(), 5, 2000, {.seed = 3});
    EXPECT_LT((state.coordinates.rowwise().mean() - problem.mean).cwiseAbs().maxCoeff(), 0.05);  // in prior deviations
    const Eigen::ArrayXd ratios = problem.variance_ratios(state.coordinates);
    EXPECT_GT(ratios.minCoeff(), 0.9);
    EXPECT_LT(ratios.maxCoeff(), 1.1);
}

TEST(Smc, KeepsTheSpreadOfManyComponentsWithAFewHundredMembers) {
    const LinearProblem problem(24, 16, 0.3);
    const SmcState state = sampled(problem.log_likelihood(), 24, 240, {.seed = 3});
    EXPECT_TRUE(is_mixed(state, {}));
    EXPECT_NEAR(problem.variance_ratios(state.coordinates).mean(), 1.0, 0.15);
    const Eigen::MatrixXd anomalies = state.coordinates.colwise() - problem.mean;
    const Eigen::MatrixXd factor = problem.covariance.llt().matrixL();
    const Eigen::MatrixXd scaled = factor.triangularView<Eigen::Lower>().solve(anomalies);
    EXPECT_NEAR(scaled.squaredNorm() / static_cast<double>(scaled.size()), 1.0, 0.1);  // in all directions together
    EXPECT_GT(state.distinct_ancestors(), 5);
    EXPECT_LT(state.distinct_ancestors(), 240);
}

/// The table of docs/invert.md: over four seeds. Rounding, which processors do differently, decides which moves are
/// accepted.
TEST(Smc, TakesAsManyPredictionsAsItsPageSays) {
    struct Row {
        Eigen::Index components, members;
        double error, predictions;
    };
    for (const Row& row : {Row{24, 240, 0.3, 120}, Row{24, 1000, 0.3, 87}, Row{10, 100, 0.3, 70}, Row{6, 60, 0.3, 54},
                           Row{24, 240, 0.03, 202}, Row{10, 100, 0.03, 126}}) {
        const LinearProblem problem(row.components, 16, row.error);
        double ratio = 0.0, predictions = 0.0;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            std::size_t asked = 0;
            const SmcState state =
                sampled(problem.log_likelihood(), row.components, row.members, {.seed = seed}, &asked);
            ratio += problem.variance_ratios(state.coordinates).mean() / 4.0;
            predictions += 1.0 / 4.0 + static_cast<double>(asked) / static_cast<double>(4 * row.members);
        }
        EXPECT_NEAR(ratio, 1.0, 0.1) << row.components << " " << row.members;
        EXPECT_NEAR(predictions, row.predictions, 0.15 * row.predictions) << row.components << " " << row.members;
    }
}

TEST(Smc, RaisesTheTemperatureBySmallStepsHoweverExactTheDataAre) {
    const LinearProblem problem(5, 4, 1e-14);
    const auto exact = problem.log_likelihood();
    AnalyticMembers members(exact);
    SmcState state = prior_state(5, 100, 3);
    state.log_likelihood = members.propose(state.coordinates);
    advance(state, members, {.seed = 3});
    EXPECT_GT(state.temperature, 0.0);
    EXPECT_LT(state.temperature, 1e-25);
    EXPECT_GT(state.distinct_ancestors(), 25);  // half of the effective sample size is left
}

TEST(Smc, HasNoEndWhereTheTemperatureIsBelowOneAfterAllThatAreAllowed) {
    const LinearProblem problem(10, 16, 0.03);  // takes more than twenty
    const auto exact = problem.log_likelihood();
    const SmcSettings settings{.stages = 10, .seed = 3};
    AnalyticMembers members(exact);
    SmcState state = prior_state(10, 100, settings.seed);
    state.log_likelihood = members.propose(state.coordinates);
    while (state.temperature < 1.0 && !is_endless(state, settings)) {
        advance(state, members, settings);
    }
    EXPECT_LT(state.temperature, 1.0);
    EXPECT_EQ(state.stages, 10);
    EXPECT_FALSE(is_endless(sampled(problem.log_likelihood(), 10, 100, {.seed = 3}), {}));
}

TEST(Smc, SaysThatMembersHaveNotMixed) {
    const LinearProblem problem(24, 16, 0.3);
    const SmcSettings few{.moves = 2, .seed = 3};
    const SmcState state = sampled(problem.log_likelihood(), 24, 240, few);
    EXPECT_LT(problem.variance_ratios(state.coordinates).mean(), 0.7);
    EXPECT_FALSE(is_mixed(state, few));
    EXPECT_EQ(state.moves, 2);
}

/// What is observed depends on two unknowns by a bend: the posterior is a crescent.
double crescent(const Eigen::VectorXd& z) {
    const double first = z[0] * z[0] + z[1] - 0.8, second = std::sin(z[0]) + 0.5 * z[1];
    return -0.5 * (first * first / 0.09 + (second - 0.2) * (second - 0.2) / 0.25);
}

/// Shares of members [2, N] in cells of a quarter of a deviation.
Eigen::ArrayXXd shares(const Eigen::MatrixXd& members) {
    constexpr Eigen::Index cells = 24;
    Eigen::ArrayXXd counts = Eigen::ArrayXXd::Zero(cells, cells);
    for (Eigen::Index j = 0; j < members.cols(); ++j) {
        const auto cell = [&](Eigen::Index i) {
            return std::clamp(static_cast<Eigen::Index>(std::floor(4.0 * (members(i, j) + 3.0))), Eigen::Index{0},
                              cells - 1);
        };
        counts(cell(0), cell(1)) += 1.0 / static_cast<double>(members.cols());
    }
    return counts;
}

/// [bit]
double jensen_shannon_divergence(const Eigen::ArrayXXd& p, const Eigen::ArrayXXd& q) {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < p.size(); ++i) {
        const double a = p.data()[i], b = q.data()[i], middle = 0.5 * (a + b);
        sum += a > 0.0 ? 0.5 * a * std::log2(a / middle) : 0.0;
        sum += b > 0.0 ? 0.5 * b * std::log2(b / middle) : 0.0;
    }
    return sum;
}

TEST(Smc, DrawsWhatRejectionSamplingDrawsOfANonlinearModel) {
    const Eigen::MatrixXd prior = prior_coordinates(2, 100000, 17);
    const RandomStream uniform(17, "rejection");
    Eigen::MatrixXd kept(2, prior.cols());
    Eigen::Index count = 0;
    for (Eigen::Index j = 0; j < prior.cols(); ++j) {  // the likelihood is 1 at most
        if (uniform.uniform(static_cast<std::uint64_t>(j)) < std::exp(crescent(prior.col(j)))) {
            kept.col(count++) = prior.col(j);
        }
    }
    ASSERT_GT(count, 10000);
    const SmcState state = sampled(crescent, 2, 4000, {.seed = 5});
    EXPECT_LT(jensen_shannon_divergence(shares(kept.leftCols(count)), shares(state.coordinates)), 0.03);
}

TEST(Smc, FindsBothOfTwoSeparatePlaces) {
    const auto two = [](const Eigen::VectorXd& z) { return -0.5 * std::pow((std::abs(z[0]) - 1.5) / 0.1, 2); };
    const SmcState state = sampled(two, 2, 2000, {.moves = 5, .seed = 2});
    EXPECT_NEAR((state.coordinates.row(0).array() > 0.0).cast<double>().mean(), 0.5, 0.06);
    EXPECT_NEAR(state.coordinates.row(0).cwiseAbs().mean(), 1.485, 0.02);
    EXPECT_NEAR(state.coordinates.row(1).squaredNorm() / 2000.0, 1.0, 0.1);
}

TEST(Smc, LeavesMembersBehindThatCannotBeComputed) {
    const auto one_sided = [](const Eigen::VectorXd& z) {
        return z[0] < 0.0 ? -std::numeric_limits<double>::infinity() : -0.5 * z[0] * z[0];
    };
    const SmcState state = sampled(one_sided, 3, 500, {.seed = 4});
    EXPECT_GT(state.coordinates.row(0).minCoeff(), 0.0);
    EXPECT_NEAR(state.coordinates.row(0).mean(), std::sqrt(1.0 / std::acos(-1.0)), 0.06);  // half-normal, variance 1/2
    const auto nowhere = [](const Eigen::VectorXd&) { return -std::numeric_limits<double>::infinity(); };
    EXPECT_THROW(sampled(nowhere, 3, 20, {}), NotConverged);
}

TEST(Smc, GivesTheSameBitsAgain) {
    const SmcSettings settings{.moves = 3, .seed = 9};
    EXPECT_EQ(sampled(crescent, 2, 100, settings).coordinates, sampled(crescent, 2, 100, settings).coordinates);
    EXPECT_NE(sampled(crescent, 2, 100, settings).coordinates,
              sampled(crescent, 2, 100, {.moves = 3, .seed = 10}).coordinates);
}

TEST(Smc, ResamplesSystematically) {
    const Eigen::VectorXd weights{{0.5, 0.0, 0.25, 0.25}}, last_alone{{0.0, 1.0}};
    EXPECT_EQ(resampled(weights, 0.5), (std::vector<Eigen::Index>{0, 0, 2, 3}));
    EXPECT_EQ(resampled(Eigen::VectorXd::Ones(3), 0.0), (std::vector<Eigen::Index>{0, 1, 2}));
    EXPECT_EQ(resampled(last_alone, 0.9), (std::vector<Eigen::Index>{1, 1}));
}

}  // namespace
}  // namespace plumecast
