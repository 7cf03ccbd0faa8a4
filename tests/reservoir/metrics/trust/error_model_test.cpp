#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/trust/error_model.hpp"
#include "reservoir/metrics/trust/training_cloud.hpp"

namespace plumecast {
namespace {

/// 40 cases on a line of two features that go together, a = 0 to 39 and b near 2 a.
std::vector<CaseFeatures> cases() {
    std::vector<CaseFeatures> all;
    for (int i = 0; i < 40; ++i) {
        all.push_back({{"a", i}, {"b", 2.0 * i + (i % 2 == 0 ? 0.5 : -0.5)}});
    }
    return all;
}

TEST(TrainingCloud, GivesTheFarthestCaseADistanceOfOne) {
    const TrainingCloud cloud = TrainingCloud::of(cases());
    double farthest = 0.0;
    for (const CaseFeatures& one : cases()) {
        farthest = std::max(farthest, *cloud.distance(one));
    }
    EXPECT_NEAR(farthest, 1.0, 1e-12);
    EXPECT_LT(*cloud.distance({{"a", 19.5}, {"b", 39.0}}), 0.1);
}

TEST(TrainingCloud, SeesACombinationThatNoCaseHas) {
    const TrainingCloud cloud = TrainingCloud::of(cases());
    const double usual = *cloud.distance({{"a", 30.0}, {"b", 60.0}});
    const double unusual = *cloud.distance({{"a", 30.0}, {"b", 18.0}});  // each as far from its mean
    EXPECT_GT(unusual, 3.0 * usual);
    EXPECT_GT(unusual, 1.0);
}

TEST(TrainingCloud, KnowsNoDistanceWithoutAFeature) {
    EXPECT_FALSE(TrainingCloud::of(cases()).distance({{"a", 1.0}}).has_value());
    EXPECT_FALSE(TrainingCloud().distance({{"a", 1.0}}).has_value());
    EXPECT_THROW(TrainingCloud::of({}), InvalidInput);
}

TEST(TrainingCloud, FindsACaseUnusualInWhatNeverVaried) {
    const TrainingCloud cloud = TrainingCloud::of({{{"a", 1.0}, {"b", 5.0}}, {{"a", 2.0}, {"b", 5.0}}});
    EXPECT_GT(*cloud.distance({{"a", 1.5}, {"b", 6.0}}), 10.0);
}

TEST(TrainingCloud, IsReadAsItWasWritten) {
    const TrainingCloud cloud = TrainingCloud::of(cases());
    const Json json = cloud.to_json();
    JsonReader reader(json, "cloud");
    const CaseFeatures strange = {{"a", -3.0}, {"b", 17.0}};
    EXPECT_DOUBLE_EQ(*TrainingCloud::read(reader).distance(strange), *cloud.distance(strange));
}

TEST(TrainingCloud, RefusesARecordThatDoesNotFit) {
    Json json = TrainingCloud::of(cases()).to_json();
    json["means"] = Json::Array{1.0};
    JsonReader reader(json, "cloud");
    EXPECT_THROW(TrainingCloud::read(reader), InvalidInput);
    Json other = TrainingCloud::of(cases()).to_json();
    other["correlations"] = Json::Array{1.0, 3.0, 1.0};  // of no cases
    JsonReader impossible(other, "cloud");
    EXPECT_THROW(TrainingCloud::read(impossible), InvalidInput);
}

/// Errors that grow tenfold over feature a.
std::vector<double> errors() {
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) {
        values.push_back(0.01 * std::pow(10.0, i / 39.0) * (i % 3 == 0 ? 1.02 : 0.99));
    }
    return values;
}

TEST(ErrorModel, ExpectsTheErrorsThatItWasFittedTo) {
    const ErrorModel model = ErrorModel::fit("gas_saturation", "mpe", cases(), errors());
    EXPECT_NEAR(model.usual(), 0.01 * std::sqrt(10.0), 2e-3);
    for (std::size_t i = 0; i < cases().size(); ++i) {
        EXPECT_NEAR(*model.ratio(cases()[i]) / (errors()[i] / model.usual()), 1.0, 0.08) << i;
    }
    EXPECT_FALSE(model.ratio({{"a", 1.0}}).has_value());
}

TEST(ErrorModel, LeavesEachCaseOutAsAFitToTheOthersDoes) {
    std::vector<double> outlier = errors();
    outlier[39] *= 8.0;
    const ErrorModel model = ErrorModel::fit("gas_saturation", "mpe", cases(), outlier);
    EXPECT_LT(model.left_out()[39], *model.ratio(cases()[39]));
    EXPECT_NEAR(model.left_out()[20], *model.ratio(cases()[20]), 0.05);
}

/// 60 cases of two features that vary for themselves.
std::vector<CaseFeatures> spread_cases() {
    std::vector<CaseFeatures> all;
    for (int i = 0; i < 60; ++i) {
        all.push_back({{"a", i % 6}, {"b", i / 6}});
    }
    return all;
}

/// Errors that are large where the first feature is large and the second small, or the other way round.
std::vector<double> saddle_errors() {
    std::vector<double> values;
    for (const CaseFeatures& one : spread_cases()) {
        values.push_back(0.01 * std::exp(-0.2 * (one.at("a") - 2.5) * (one.at("b") - 4.5)));
    }
    return values;
}

TEST(ErrorModel, FollowsProductsOfFeaturesWhenThereAreTenCasesPerFeature) {
    const ErrorModel model = ErrorModel::fit("gas_saturation", "mpe", spread_cases(), saddle_errors());
    const double corner = *model.ratio({{"a", 5.0}, {"b", 0.0}}), other = *model.ratio({{"a", 5.0}, {"b", 9.0}});
    EXPECT_NEAR(corner, std::exp(0.2 * 2.5 * 4.5), 1.5);
    EXPECT_NEAR(other, std::exp(-0.2 * 2.5 * 4.5), 0.05);
    const std::vector<CaseFeatures> cases = spread_cases();
    const std::vector<double> errors = saddle_errors();
    const std::vector<CaseFeatures> few(cases.begin(), cases.begin() + 18);
    const ErrorModel plain = ErrorModel::fit("gas_saturation", "mpe", few, std::span(errors).first(18));
    EXPECT_EQ(plain.to_json().find("products"), nullptr);
    EXPECT_NE(model.to_json().find("products"), nullptr);
}

TEST(ErrorModel, WithProductsIsReadAsItWasWrittenAndRefusesARecordThatDoesNotFit) {
    const ErrorModel model = ErrorModel::fit("gas_saturation", "mpe", spread_cases(), saddle_errors());
    Json json = model.to_json();
    JsonReader reader(json, "expected");
    const CaseFeatures place = {{"a", 4.2}, {"b", 1.7}};
    EXPECT_DOUBLE_EQ(*ErrorModel::read(reader).ratio(place), *model.ratio(place));
    json["products"]["means"] = Json::Array{1.0};
    JsonReader damaged(json, "expected");
    EXPECT_THROW(ErrorModel::read(damaged), InvalidInput);
}

TEST(ErrorModel, IsReadAsItWasWritten) {
    const ErrorModel model = ErrorModel::fit("pressure_buildup", "mre", cases(), errors());
    const Json json = model.to_json();
    JsonReader reader(json, "expected");
    const ErrorModel again = ErrorModel::read(reader);
    EXPECT_EQ(again.field(), "pressure_buildup");
    EXPECT_EQ(again.measure(), "mre");
    EXPECT_DOUBLE_EQ(*again.ratio(cases()[7]), *model.ratio(cases()[7]));
}

TEST(ErrorModel, RefusesTooFewCasesAndErrorsOfZero) {
    const std::vector<CaseFeatures> all = cases();
    const std::vector<CaseFeatures> three(all.begin(), all.begin() + 3);
    EXPECT_THROW(ErrorModel::fit("a", "mpe", three, std::vector<double>{1.0, 1.0, 1.0}), InvalidInput);
    EXPECT_THROW(ErrorModel::fit("a", "mpe", all, std::vector<double>(40, 0.0)), InvalidInput);
}

}  // namespace
}  // namespace plumecast
