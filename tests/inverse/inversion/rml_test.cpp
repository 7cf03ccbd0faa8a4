#include "inverse/inversion/rml.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/random_matrices.hpp"

namespace plumecast {
namespace {

using Cotangents = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

MemberProblem linear_problem(const Eigen::MatrixXd& map, const Eigen::MatrixXd& factor) {
    MemberProblem problem;
    problem.forward = [map](const Eigen::VectorXd& at, const Cotangents& cotangents, Eigen::VectorXd& gradient) {
        const Eigen::VectorXd predictions = map * at;
        gradient = map.transpose() * cotangents(predictions);
        return predictions;
    };
    problem.error_factor = factor;
    return problem;
}

/// Where the objective is least, sought from the member's prior.
Minimum most_likely(const MemberProblem& problem, const LbfgsSettings& settings) {
    return minimised(
        [&](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) { return objective(problem, at, gradient); },
        problem.prior, settings);
}

TEST(Rml, HasTheDerivativesOfItsObjective) {
    MemberProblem problem;
    problem.forward = [](const Eigen::VectorXd& at, const Cotangents& cotangents, Eigen::VectorXd& gradient) {
        const Eigen::Vector3d predictions(std::exp(at[0]), at[0] * at[1], std::sin(at[1]));
        const Eigen::VectorXd w = cotangents(predictions);
        gradient = Eigen::Vector2d(w[0] * std::exp(at[0]) + w[1] * at[1], w[1] * at[0] + w[2] * std::cos(at[1]));
        return Eigen::VectorXd(predictions);
    };
    problem.error_factor = cholesky_factor(error_covariance(3));
    problem.observed = Eigen::Vector3d(1.5, -0.3, 0.7);
    problem.prior = Eigen::Vector2d(0.4, -1.1);
    const Eigen::Vector2d at(0.2, 0.6);
    Eigen::VectorXd slopes(2), unused(2);
    objective(problem, at, slopes);
    constexpr double step = 1e-6;
    for (Eigen::Index i = 0; i < 2; ++i) {
        const Eigen::VectorXd more = at + step * Eigen::VectorXd::Unit(2, i),
                              less = at - step * Eigen::VectorXd::Unit(2, i);
        const double difference = (objective(problem, more, unused) - objective(problem, less, unused)) / (2.0 * step);
        EXPECT_NEAR(slopes[i], difference, 1e-6 * std::abs(difference));
    }
}

TEST(Rml, MeetsTheExactPosteriorOfALinearGaussianProblem) {
    const Eigen::Index unknowns = 5, data = 4, members = 2000;
    const Eigen::MatrixXd map = 0.5 * normal_matrix(data, unknowns, "linear map");
    const Eigen::MatrixXd covariance = error_covariance(data);
    const Eigen::MatrixXd factor = cholesky_factor(covariance);
    const Eigen::VectorXd observed = map * normal_matrix(unknowns, 1, "truth") + factor * normal_matrix(data, 1, "e");
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(members));
    std::iota(numbers.begin(), numbers.end(), 0);
    const Eigen::MatrixXd perturbed = perturbed_observations(observed, factor, 1.0, 11, 0, numbers);
    const Eigen::MatrixXd prior = normal_matrix(unknowns, members, "prior");
    Eigen::MatrixXd found(unknowns, members);
    MemberProblem problem = linear_problem(map, factor);
    for (Eigen::Index j = 0; j < members; ++j) {
        problem.observed = perturbed.col(j);
        problem.prior = prior.col(j);
        found.col(j) = most_likely(problem, {.evaluations = 100, .tolerance = 1e-10}).at;
    }
    const Eigen::MatrixXd exact =
        (Eigen::MatrixXd::Identity(unknowns, unknowns) + map.transpose() * covariance.inverse() * map).inverse();
    const Eigen::VectorXd mean = exact * map.transpose() * covariance.inverse() * observed;
    EXPECT_LT((found.rowwise().mean() - mean).cwiseAbs().maxCoeff(), 0.05);  // in prior deviations, which are 1
    const Eigen::MatrixXd anomalies = found.colwise() - found.rowwise().mean();
    for (Eigen::Index i = 0; i < unknowns; ++i) {
        EXPECT_NEAR(anomalies.row(i).squaredNorm() / static_cast<double>(members - 1) / exact(i, i), 1.0, 0.1) << i;
    }
}

TEST(Rml, WithoutPerturbationsIsTheMostLikelyPoint) {
    const Eigen::MatrixXd map = 0.5 * normal_matrix(4, 5, "linear map");
    const Eigen::MatrixXd covariance = error_covariance(4);
    MemberProblem problem = linear_problem(map, cholesky_factor(covariance));
    problem.observed = normal_matrix(4, 1, "data");
    problem.prior = Eigen::VectorXd::Zero(5);
    const Eigen::VectorXd exact = (Eigen::MatrixXd::Identity(5, 5) + map.transpose() * covariance.inverse() * map)
                                      .ldlt()
                                      .solve(map.transpose() * covariance.inverse() * problem.observed);
    const Minimum found = most_likely(problem, {.evaluations = 100, .tolerance = 1e-12});
    EXPECT_LT((found.at - exact).cwiseAbs().maxCoeff(), 1e-4);
}

}  // namespace
}  // namespace plumecast
