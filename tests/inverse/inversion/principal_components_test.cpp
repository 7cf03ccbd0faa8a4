#include "inverse/inversion/principal_components.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace plumecast {
namespace {

/// Members of few directions: the second row is far larger than the others, the last is the same for all.
Eigen::MatrixXd members_of(Eigen::Index rows, Eigen::Index count) {
    const RandomStream stream(3, "members");
    Eigen::MatrixXd values(rows, count);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
        values.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
    }
    values.row(1) = 1000.0 * (values.row(0) + 0.1 * values.row(1)).array() + 5000.0;
    values.row(rows - 1).setConstant(7.0);
    return values;
}

std::vector<Eigen::Index> all_of(Eigen::Index count) {
    std::vector<Eigen::Index> places(static_cast<std::size_t>(count));
    std::iota(places.begin(), places.end(), 0);
    return places;
}

TEST(PrincipalComponents, WhitenTheMembersAndGiveThemBack) {
    for (const Eigen::Index rows : {6, 40}) {  // fewer and more than members
        const Eigen::MatrixXd members = members_of(rows, 20);
        const PrincipalComponents components(members, 0);
        EXPECT_EQ(components.count(), std::min<Eigen::Index>(rows - 1, 19));
        EXPECT_NEAR(components.share(), 1.0, 1e-12);
        const Eigen::MatrixXd& z = components.coordinates();
        const Eigen::MatrixXd covariance = z * z.transpose() / 19.0;
        EXPECT_LT((covariance - Eigen::MatrixXd::Identity(z.rows(), z.rows())).cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_LT(z.rowwise().mean().cwiseAbs().maxCoeff(), 1e-6);
        const std::vector<Eigen::Index> none(20, -1);
        EXPECT_LT((components.parameters(z, none) - members).cwiseAbs().maxCoeff(), 1e-6);
    }
}

TEST(PrincipalComponents, KeepWhatFewOfThemLeaveOutWithItsMember) {
    const Eigen::MatrixXd members = members_of(40, 20);
    const PrincipalComponents components(members, 3);
    EXPECT_EQ(components.count(), 3);
    EXPECT_GT(components.share(), 0.2);
    EXPECT_LT(components.share(), 0.8);
    const Eigen::MatrixXd& z = components.coordinates();
    EXPECT_LT((components.parameters(z, all_of(20)) - members).cwiseAbs().maxCoeff(), 1e-9);
    const std::vector<Eigen::Index> none(20, -1);
    EXPECT_GT((components.parameters(z, none) - members).row(5).cwiseAbs().maxCoeff(), 0.1);
}

TEST(PrincipalComponents, MeasureRowsInTheirOwnDeviations) {
    Eigen::MatrixXd members = members_of(10, 30);
    const PrincipalComponents components(members, 2);
    members.row(4) *= 1e6;
    const PrincipalComponents rescaled(members, 2);
    EXPECT_LT((components.coordinates() - rescaled.coordinates()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(PrincipalComponents, PullDerivativesBack) {
    const PrincipalComponents components(members_of(10, 30), 4);
    const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(10, -1.0, 2.0);
    const auto value = [&](const Eigen::VectorXd& z) {
        return weights.dot(components.parameters(z, std::vector<Eigen::Index>{2}).col(0));
    };
    const Eigen::VectorXd slopes = components.pull_back(weights);
    for (Eigen::Index k = 0; k < 4; ++k) {
        const double difference = value(Eigen::VectorXd::Unit(4, k)) - value(Eigen::VectorXd::Zero(4));
        EXPECT_NEAR(slopes[k], difference, 1e-8 * std::abs(difference) + 1e-8);
    }
}

}  // namespace
}  // namespace plumecast
