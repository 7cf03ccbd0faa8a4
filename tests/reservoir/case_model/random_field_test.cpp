#include "reservoir/case_model/random_field.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace plumecast::testing {
namespace {

constexpr int realisations = 80;

/// Mean of f(field) over many realisations of a field at z = 0 and `distance` away along z, and along r.
struct Moments {
    double mean = 0.0;
    double variance = 0.0;
    double along_z = 0.0;
    double along_r = 0.0;
};

Moments moments(const Covariance& covariance, double h) {
    Moments sum;
    // Places far apart are independent samples of the same realisation.
    std::vector<double> z, r;
    for (int i = 0; i < 8; ++i) {
        z.insert(z.end(), {100.0 * i * covariance.length_z, (100.0 * i + h) * covariance.length_z});
        r.insert(r.end(), {100.0 * i * covariance.length_r, (100.0 * i + h) * covariance.length_r});
    }
    double count = 0.0;
    for (int seed = 0; seed < realisations; ++seed) {
        const RandomField field(covariance, RandomStream(static_cast<std::uint64_t>(seed), "field"));
        const std::vector<double> values = field.values(z, r);
        for (std::size_t i = 0; i < z.size(); i += 2) {
            for (std::size_t j = 0; j < r.size(); j += 2) {
                const double value = values[i * r.size() + j];
                sum.mean += value;
                sum.variance += value * value;
                sum.along_z += value * values[(i + 1) * r.size() + j];
                sum.along_r += value * values[i * r.size() + j + 1];
                count += 1.0;
            }
        }
    }
    return {sum.mean / count, sum.variance / count, sum.along_z / count, sum.along_r / count};
}

TEST(RandomField, HasMeanZeroAndVarianceOne) {
    for (const auto kind : {Covariance::Kind::gaussian, Covariance::Kind::von_karman}) {
        const Moments found = moments({kind, 500.0, 4.0, 0.3}, 1.0);
        EXPECT_NEAR(found.mean, 0.0, 0.03);
        EXPECT_NEAR(found.variance, 1.0, 0.06);
    }
}

TEST(RandomField, HasTheGaussianCorrelation) {
    for (const double h : {0.5, 1.0, 2.0}) {
        const Moments found = moments({Covariance::Kind::gaussian, 500.0, 4.0, 0.5}, h);
        EXPECT_NEAR(found.along_z, std::exp(-h * h), 0.06) << h;
        EXPECT_NEAR(found.along_r, std::exp(-h * h), 0.06) << h;
    }
}

TEST(RandomField, HasTheVonKarmanCorrelation) {
    for (const double h : {0.1, 1.0, 3.0}) {
        // Hurst exponent 1/2 is the exponential correlation.
        EXPECT_NEAR(moments({Covariance::Kind::von_karman, 500.0, 4.0, 0.5}, h).along_z, std::exp(-h), 0.06) << h;
        const double hurst = 0.2;
        const double expected =
            std::pow(2.0, 1.0 - hurst) / std::tgamma(hurst) * std::pow(h, hurst) * std::cyl_bessel_k(hurst, h);
        const Moments found = moments({Covariance::Kind::von_karman, 500.0, 4.0, hurst}, h);
        EXPECT_NEAR(found.along_z, expected, 0.06) << h;
        EXPECT_NEAR(found.along_r, expected, 0.06) << h;
    }
}

TEST(RandomField, IsTheSameAtAPlaceWhateverTheGrid) {
    const RandomField field({Covariance::Kind::von_karman, 500.0, 4.0, 0.3}, RandomStream(7, "field"));
    const std::vector<double> coarse = field.values(std::vector{3.0, 9.0}, std::vector{10.0, 4000.0});
    const std::vector<double> fine = field.values(std::vector{1.0, 3.0, 9.0}, std::vector{10.0, 70.0, 4000.0});
    EXPECT_EQ(coarse[0], fine[3]);
    EXPECT_EQ(coarse[1], fine[5]);
    EXPECT_EQ(coarse[3], fine[8]);
}

TEST(RandomField, DiffersBetweenStreams) {
    const Covariance covariance{Covariance::Kind::gaussian, 500.0, 4.0, 0.5};
    const RandomField a(covariance, RandomStream(1, "a"));
    const RandomField b(covariance, RandomStream(1, "b"));
    EXPECT_NE(a.values(std::vector{1.0}, std::vector{1.0}), b.values(std::vector{1.0}, std::vector{1.0}));
}

}  // namespace
}  // namespace plumecast::testing
