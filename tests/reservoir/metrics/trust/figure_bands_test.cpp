#include "reservoir/metrics/trust/figure_bands.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

/// Cases of 5 times whose errors are `relative` of the value and `absolute` beside, drawn alike.
std::vector<FigureCurves> drawn(std::mt19937_64& random, std::size_t count, double relative, double absolute) {
    std::uniform_real_distribution<double> size(100.0, 2000.0);
    std::normal_distribution<double> normal;
    std::vector<FigureCurves> cases(count);
    for (FigureCurves& one : cases) {
        const double last = size(random), error = normal(random);
        for (int t = 1; t <= 5; ++t) {
            const double value = last * t / 5.0;
            one.predicted.push_back(value);
            one.sizes.push_back(value);
            one.simulated.push_back(value + error * (relative * value + absolute) + absolute * normal(random));
        }
    }
    return cases;
}

bool holds(const FigureBand& band, const FigureCurves& curves) {
    for (std::size_t t = 0; t < curves.predicted.size(); ++t) {
        const auto [low, high] = band.at(curves.predicted[t], curves.predicted[t]);
        if (curves.simulated[t] < low || curves.simulated[t] > high) {
            return false;
        }
    }
    return true;
}

double mean_width(const FigureBand& band, const std::vector<FigureCurves>& cases) {
    double sum = 0.0;
    for (const FigureCurves& one : cases) {
        for (const double value : one.predicted) {
            sum += band.width * (1.0 + band.growth * value);
        }
    }
    return sum;
}

TEST(ConformalQuantile, IsTheOrderStatisticThatOneMoreCaseKeeps) {
    std::vector<double> scores(19);
    std::iota(scores.rbegin(), scores.rend(), 1.0);
    EXPECT_EQ(conformal_quantile(scores, 0.9), 18.0);
    EXPECT_EQ(conformal_quantile(scores, 0.5), 10.0);
    EXPECT_EQ(conformal_quantile(std::vector<double>(9, 2.0), 0.9), 2.0);
    EXPECT_THROW(conformal_quantile(std::vector<double>(8, 2.0), 0.9), InvalidInput);
    EXPECT_THROW(conformal_quantile({}, 0.9), InvalidInput);
}

TEST(FigureBand, HoldsAsOftenAsItsLevelForWholeCurves) {
    std::mt19937_64 random(11);
    int held = 0, all = 0;
    for (int repeat = 0; repeat < 100; ++repeat) {
        const FigureBand band = fit_figure_band("plume_radius_0.01", {drawn(random, 150, 0.05, 3.0)}, 0.9);
        for (const FigureCurves& one : drawn(random, 50, 0.05, 3.0)) {
            held += holds(band, one) ? 1 : 0;
            ++all;
        }
    }
    EXPECT_NEAR(static_cast<double>(held) / all, 0.9, 0.02);
}

TEST(FigureBand, HoldsAsOftenAsItsLevelInEachOfSeveralSets) {
    std::mt19937_64 random(13);
    int held_easy = 0, held_hard = 0;
    for (int repeat = 0; repeat < 100; ++repeat) {
        // Four times as many easy cases: of all together most of the hard ones could miss.
        const FigureBand band =
            fit_figure_band("mass_trapped", {drawn(random, 400, 0.02, 1.0), drawn(random, 100, 0.1, 5.0)}, 0.9);
        for (const FigureCurves& one : drawn(random, 50, 0.02, 1.0)) {
            held_easy += holds(band, one) ? 1 : 0;
        }
        for (const FigureCurves& one : drawn(random, 50, 0.1, 5.0)) {
            held_hard += holds(band, one) ? 1 : 0;
        }
    }
    EXPECT_NEAR(held_hard / 5000.0, 0.9, 0.02);
    EXPECT_GT(held_easy / 5000.0, 0.95);
}

TEST(FigureBand, GrowsWithTheValueWhereErrorsDo) {
    std::mt19937_64 random(12);
    const std::vector<FigureCurves> cases = drawn(random, 300, 0.05, 0.5);
    const FigureBand band = fit_figure_band("mass_free", {cases}, 0.9);
    EXPECT_GT(band.growth, 0.0);
    FigureBand constant{"mass_free", 0.0, 0.0};
    std::vector<double> largest;
    for (const FigureCurves& one : cases) {
        double most = 0.0;
        for (std::size_t t = 0; t < 5; ++t) {
            most = std::max(most, std::abs(one.predicted[t] - one.simulated[t]));
        }
        largest.push_back(most);
    }
    constant.width = conformal_quantile(largest, 0.9);
    EXPECT_LT(mean_width(band, cases), 0.8 * mean_width(constant, cases));
}

TEST(FigureBand, StaysAboveZeroAndKeepsItsNumbersInJson) {
    const FigureBand band{"max_buildup", 0.01, 2.0};
    EXPECT_EQ(band.at(0.5, 0.5), std::make_pair(0.0, 0.5 + 2.0 * 1.005));
    EXPECT_NEAR(band.at(100.0, 100.0).first, 96.0, 1e-12);
    EXPECT_TRUE(std::isnan(band.at(NAN, 1.0).first) && std::isnan(band.at(NAN, 1.0).second));
    const FigureBands bands{0.9, 150, "abc", {band}};
    const Json json = Json::Object{{"figure_bands", bands.to_json()}};
    JsonReader parent(json, "training");
    JsonReader object = parent.object("figure_bands");
    const FigureBands back = FigureBands::read(object);
    EXPECT_EQ(back.cases, 150);
    EXPECT_EQ(back.data_sha256, "abc");
    EXPECT_EQ(back.figures.at(0).at(7.0, 7.0), band.at(7.0, 7.0));
    const Json wrong = Json::Object{{"band", FigureBand{"max_buildup", -1.0, 2.0}.to_json()}};
    JsonReader outer(wrong, "training");
    JsonReader inner = outer.object("band");
    EXPECT_THROW(FigureBand::read(inner), InvalidInput);
}

TEST(FigureBands, AreRefusedForFewCases) {
    const testing::ScratchFolder folder;
    const Dataset sample(testing::write_guided_sample(folder));
    try {
        FigureBands::fit({{sample, sample}});
        FAIL() << "intervals of three cases";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("holds 3 cases (intervals need 100 held-out ones"));
    }
}

}  // namespace
}  // namespace plumecast
