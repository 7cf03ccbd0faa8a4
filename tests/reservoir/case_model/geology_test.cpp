#include "reservoir/case_model/geology.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace plumecast::testing {
namespace {

const RadialGrid lattice = radial_grid(LatticeSettings{}, 96, 200);

SampledCase sampled_medium(Medium medium) {
    SampledCase sampled = sample_case(GeneratorConfiguration{}, 3);
    sampled.medium = medium;
    sampled.log_mean = std::log(50.0);
    sampled.log_deviation = medium == Medium::homogeneous ? 0.0 : 1.0;
    sampled.correlation_z = 6.0;
    sampled.correlation_r = 1000.0;
    sampled.facies = 4;
    return sampled;
}

/// Natural logarithm of the horizontal permeability in mD over the whole lattice [Z, R].
std::vector<double> log_permeability(const SampledCase& sampled) {
    std::vector<double> field = draw_geology(GeneratorConfiguration{}, sampled, lattice).permeability_r;
    std::ranges::transform(field, field.begin(), [](double k) { return std::log(k); });
    return field;
}

TEST(PorosityOf, InvertsThePolynomialOfPape) {
    for (const double p : {0.02, 0.1, 0.2, 0.3}) {
        const double square_nanometres = 31.0 * p + 7467.0 * p * p + 191.0 * std::pow(10.0 * p, 10.0);
        EXPECT_NEAR(porosity_of(square_nanometres / 986.9233), p, 1e-12);
    }
}

TEST(DrawGeology, IsConstantInAHomogeneousMediumButForPorosityNoise) {
    const GeneratorConfiguration configuration;
    const Geology rock = draw_geology(configuration, sampled_medium(Medium::homogeneous), lattice);
    const auto [low, high] = std::ranges::minmax(rock.permeability_r);
    EXPECT_NEAR(low, 50.0, 1e-9);
    EXPECT_NEAR(high, 50.0, 1e-9);
    double mean = 0.0;
    double square = 0.0;
    const auto count = static_cast<double>(rock.porosity.size());
    for (const double porosity : rock.porosity) {
        const double noise = porosity - porosity_of(50.0);
        mean += noise / count;
        square += noise * noise / count;
    }
    EXPECT_NEAR(mean, 0.0, 2e-4);
    EXPECT_NEAR(std::sqrt(square), 0.005, 2e-4);
}

TEST(DrawGeology, VariesWithDepthOnlyInALayeredMedium) {
    const std::vector<double> field = log_permeability(sampled_medium(Medium::layered));
    std::set<double> values;
    for (std::size_t row = 0; row < lattice.rows(); ++row) {
        values.insert(field[row * lattice.columns()]);
        EXPECT_EQ(field[row * lattice.columns()], field[row * lattice.columns() + 150]);
    }
    // 200 m in layers of 3 to 9 m.
    EXPECT_GE(values.size(), 22u);
    EXPECT_LE(values.size(), 67u);
}

TEST(DrawGeology, TakesAsManyValuesAsADiscontinuousMediumHasFacies) {
    const std::vector<double> field = log_permeability(sampled_medium(Medium::discontinuous));
    EXPECT_EQ(std::set<double>(field.begin(), field.end()).size(), 4u);
}

TEST(DrawGeology, HasMeanAndDeviationAskedForOverManyCases) {
    double sum = 0.0;
    double square = 0.0;
    double count = 0.0;
    for (int number = 0; number < 20; ++number) {
        SampledCase sampled = sampled_medium(Medium::gaussian);
        sampled.number = number;
        for (const double value : log_permeability(sampled)) {
            sum += value;
            square += value * value;
            count += 1.0;
        }
    }
    EXPECT_NEAR(sum / count, std::log(50.0), 0.1);
    EXPECT_NEAR(square / count - sum / count * sum / count, 1.0, 0.1);
}

TEST(DrawGeology, ClipsPermeabilityAndPorosity) {
    GeneratorConfiguration configuration;
    SampledCase sampled = sampled_medium(Medium::gaussian);
    sampled.log_deviation = 8.0;
    const Geology rock = draw_geology(configuration, sampled, lattice);
    const auto [low, high] = std::ranges::minmax(rock.permeability_r);
    EXPECT_EQ(low, 1e-3);
    EXPECT_EQ(high, 1e4);
    const auto [least, most] = std::ranges::minmax(rock.porosity);
    EXPECT_GE(least, 0.01);
    EXPECT_LE(most, 0.45);
}

TEST(DrawGeology, GivesEachClassOfPermeabilityItsRatio) {
    SampledCase sampled = sampled_medium(Medium::gaussian);
    sampled.ratios = {2.0, 10.0, 100.0};
    const Geology rock = draw_geology(GeneratorConfiguration{}, sampled, lattice);
    std::array<double, 3> most{};
    for (std::size_t i = 0; i < rock.permeability_r.size(); ++i) {
        const double ratio = rock.permeability_r[i] / rock.permeability_z[i];
        const auto found = std::ranges::find_if(sampled.ratios, [&](double r) { return std::abs(r - ratio) < 1e-6; });
        ASSERT_NE(found, sampled.ratios.end());
        double& highest = most[static_cast<std::size_t>(found - sampled.ratios.begin())];
        highest = std::max(highest, rock.permeability_r[i]);
    }
    EXPECT_LT(most[0], most[1]);
    EXPECT_LT(most[1], most[2]);
}

}  // namespace
}  // namespace plumecast::testing
