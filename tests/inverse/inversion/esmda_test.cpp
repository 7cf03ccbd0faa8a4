#include "inverse/inversion/esmda.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "inverse/inversion/random_matrices.hpp"

namespace plumecast {
namespace {

std::vector<std::int64_t> numbers_to(Eigen::Index count) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

Eigen::MatrixXd covariance_between(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    const Eigen::MatrixXd da = a.colwise() - a.rowwise().mean(), db = b.colwise() - b.rowwise().mean();
    return da * db.transpose() / static_cast<double>(a.cols() - 1);
}

TEST(Esmda, UpdatesAsTheDenseFormulaOnTheSamePerturbations) {
    for (const Eigen::Index members : {8, 40}) {  // fewer and more than observations
        const Eigen::MatrixXd parameters = normal_matrix(30, members, "parameters");
        const Eigen::MatrixXd predictions = normal_matrix(12, 30, "map") * parameters.array().sin().matrix();
        const Eigen::MatrixXd covariance = error_covariance(12);
        const Eigen::MatrixXd perturbed = normal_matrix(12, members, "perturbed");
        const double inflation = 4.0;
        const Eigen::MatrixXd updated =
            esmda_update(parameters, predictions, perturbed, cholesky_factor(covariance), inflation, {0.0});
        const Eigen::MatrixXd c_md = covariance_between(parameters, predictions);
        const Eigen::MatrixXd c_dd = covariance_between(predictions, predictions);
        const Eigen::MatrixXd dense =
            parameters + c_md * (c_dd + inflation * covariance).inverse() * (perturbed - predictions);
        EXPECT_LT((updated - dense).cwiseAbs().maxCoeff(), 1e-10) << members;
    }
}

TEST(Esmda, KeepsTheEntriesOfTheGainWhoseCorrelationIsAboveChance) {
    const Eigen::Index members = 50;
    const Eigen::MatrixXd parameters = normal_matrix(20, members, "parameters");
    const Eigen::MatrixXd predictions =
        parameters.topRows(3) + 0.2 * normal_matrix(3, members, "noise of the predictions");
    const Eigen::MatrixXd covariance = error_covariance(3);
    const Eigen::MatrixXd perturbed = normal_matrix(3, members, "perturbed");
    const Localization localization{3.0};
    const Eigen::MatrixXd updated =
        esmda_update(parameters, predictions, perturbed, cholesky_factor(covariance), 2.0, localization);
    const Eigen::MatrixXd c_md = covariance_between(parameters, predictions);
    const Eigen::MatrixXd c_dd = covariance_between(predictions, predictions);
    const Eigen::MatrixXd c_mm = covariance_between(parameters, parameters);
    Eigen::MatrixXd gain = c_md * (c_dd + 2.0 * covariance).inverse();
    int kept = 0;
    for (Eigen::Index i = 0; i < 20; ++i) {
        for (Eigen::Index j = 0; j < 3; ++j) {
            const double correlation = c_md(i, j) / std::sqrt(c_mm(i, i) * c_dd(j, j));
            const bool is_kept = std::abs(correlation) >= 3.0 / std::sqrt(50.0);
            gain(i, j) = is_kept ? gain(i, j) : 0.0;
            kept += is_kept ? 1 : 0;
        }
    }
    EXPECT_GE(kept, 3);
    EXPECT_LT(kept, 20);
    const Eigen::MatrixXd dense = parameters + gain * (perturbed - predictions);
    EXPECT_LT((updated - dense).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Esmda, MeetsTheExactPosteriorOfALinearGaussianProblem) {
    const Eigen::Index unknowns = 5, data = 4, members = 2000;
    const Eigen::MatrixXd map = 0.5 * normal_matrix(data, unknowns, "linear map");
    const Eigen::MatrixXd covariance = error_covariance(data);
    const Eigen::MatrixXd factor = cholesky_factor(covariance);
    const Eigen::VectorXd observed = map * normal_matrix(unknowns, 1, "truth") + factor * normal_matrix(data, 1, "e");
    Eigen::MatrixXd parameters = normal_matrix(unknowns, members, "prior");
    const std::vector<std::int64_t> numbers = numbers_to(members);
    for (int step = 0; step < 4; ++step) {
        const Eigen::MatrixXd perturbed = perturbed_observations(observed, factor, 4.0, 11, step, numbers);
        parameters = esmda_update(parameters, map * parameters, perturbed, factor, 4.0, {0.0});
    }
    const Eigen::MatrixXd exact =
        (Eigen::MatrixXd::Identity(unknowns, unknowns) + map.transpose() * covariance.inverse() * map).inverse();
    const Eigen::VectorXd mean = exact * map.transpose() * covariance.inverse() * observed;
    EXPECT_LT((parameters.rowwise().mean() - mean).cwiseAbs().maxCoeff(), 0.05);  // in prior deviations, which are 1
    const Eigen::VectorXd variances = covariance_between(parameters, parameters).diagonal();
    for (Eigen::Index i = 0; i < unknowns; ++i) {
        EXPECT_NEAR(variances[i] / exact(i, i), 1.0, 0.1) << i;
    }
}

TEST(Esmda, DrawsTheErrorsOfAMemberByItsNumber) {
    const Eigen::VectorXd observed = Eigen::VectorXd::LinSpaced(4, 1.0, 4.0);
    const Eigen::MatrixXd factor = cholesky_factor(error_covariance(4));
    const std::vector<std::int64_t> numbers = numbers_to(5);
    const Eigen::MatrixXd once = perturbed_observations(observed, factor, 4.0, 3, 1, numbers);
    EXPECT_EQ(once, perturbed_observations(observed, factor, 4.0, 3, 1, numbers));
    EXPECT_NE(once, perturbed_observations(observed, factor, 4.0, 3, 2, numbers));
    EXPECT_NE(once, perturbed_observations(observed, factor, 4.0, 4, 1, numbers));
    EXPECT_LT((once.rowwise().mean() - observed).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Esmda, RefusesErrorsThatAreNotPositiveDefinite) {
    EXPECT_THROW(cholesky_factor(Eigen::MatrixXd::Zero(2, 2)), InvalidInput);
}

}  // namespace
}  // namespace plumecast
