#include "inverse/inversion/shrunk_covariance.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace plumecast {
namespace {

/// Samples [D, N] of normal numbers, the second row of twice the first and noise, of deviation 10.
Eigen::MatrixXd related_samples(Eigen::Index rows, Eigen::Index count) {
    const RandomStream stream(5, "samples");
    Eigen::MatrixXd samples(rows, count);
    for (Eigen::Index i = 0; i < samples.size(); ++i) {
        samples.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
    }
    samples.row(1) = 10.0 * (0.9 * samples.row(0) + 0.436 * samples.row(1));
    return samples;
}

TEST(ShrunkCovariance, KeepsVariancesAndIsPositiveDefiniteWithFewSamples) {
    const Eigen::MatrixXd samples = related_samples(40, 12);
    const Eigen::MatrixXd covariance = shrunk_covariance(samples);
    const Eigen::MatrixXd anomalies = samples.colwise() - samples.rowwise().mean();
    for (Eigen::Index i = 0; i < 40; ++i) {
        EXPECT_NEAR(covariance(i, i), anomalies.row(i).squaredNorm() / 11.0, 1e-9 * covariance(i, i));
    }
    EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(covariance).info(), Eigen::Success);
}

TEST(ShrunkCovariance, ApproachesTheSampleCovarianceWithMany) {
    const Eigen::MatrixXd covariance = shrunk_covariance(related_samples(3, 20000));
    EXPECT_NEAR(covariance(0, 1) / 10.0, 0.9, 0.02);
    EXPECT_NEAR(covariance(0, 2), 0.0, 0.02);
    EXPECT_NEAR(covariance(1, 1) / 100.0, 1.0, 0.03);
}

TEST(ShrunkCovariance, LeavesARowOfConstantsWithoutError) {
    Eigen::MatrixXd samples = related_samples(3, 30);
    samples.row(2).setConstant(4.0);
    const Eigen::MatrixXd covariance = shrunk_covariance(samples);
    EXPECT_TRUE(covariance.allFinite());
    EXPECT_EQ(covariance(2, 2), 0.0);
}

}  // namespace
}  // namespace plumecast
