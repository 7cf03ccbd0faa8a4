#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Judge, FindsNothingWrongWithACaseWithinAllLimits) {
    CaseEvidence evidence;
    evidence.outside = 0.01;
    evidence.distance = 0.9;
    evidence.balance = 0.05;
    evidence.reach = 0.3;
    evidence.expected = {{"gas_saturation", 1.1}};
    evidence.resampling = Resampling::fields;
    const Verdict verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::good);
    EXPECT_TRUE(verdict.reasons.empty());
}

TEST(Judge, NamesTheWorstReasonFirst) {
    CaseEvidence evidence;
    evidence.farthest_input = "temperature";
    evidence.outside = 0.3;
    evidence.balance = 0.9;
    evidence.resampling = Resampling::correction;
    const Verdict verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::bad);
    EXPECT_THAT(verdict.reasons, ElementsAre("CO2 found and injected differ by 90 %",
                                             "temperature lies outside the training range by 30 % of it",
                                             "brought over from another grid or other times"));
}

TEST(Judge, GoesByTheLimitOfEachMeasure) {
    const auto trust_of = [](auto set) {
        CaseEvidence evidence;
        set(evidence);
        return judge(evidence, {}).trust;
    };
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.distance = 1.2; }), Trust::doubtful);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.distance = 2.2; }), Trust::bad);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.reach = 0.8; }), Trust::doubtful);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.reach = 1.2; }), Trust::bad);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.expected = {{"a", 1.0}, {"b", 3.0}}; }), Trust::doubtful);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.expected = {{"a", 30.0}}; }), Trust::bad);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.outside = 0.6; }), Trust::bad);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.is_finite = false; }), Trust::bad);
    EXPECT_EQ(trust_of([](CaseEvidence& e) { e.balance = std::nan(""); }), Trust::bad);
}

TEST(Judge, DoubtsABuildUpAboveTheLimitAskedFor) {
    CaseEvidence evidence;
    evidence.largest_buildup = 61.0;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
    evidence.buildup_limit = 60.0;
    EXPECT_THAT(judge(evidence, {}).reasons, ElementsAre("the largest build-up, 61 bar, is above the limit of 60 bar"));
}

TEST(Judge, SaysWhatALimitOfThePressureInTheWellKeptFromInjecting) {
    CaseEvidence evidence;
    evidence.limited_rate = {30.0, 3652.5, 4.25, 10.0};
    const char* expected = "rate limited by bottom-hole pressure from day 30 to 3652: 4.25 Mt of 10 asked";
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
    EXPECT_THAT(judge(evidence, {}).reasons, ElementsAre(expected));
    evidence.limits = RateChanges::corrected;  // by a network
    EXPECT_EQ(judge(evidence, {}).trust, Trust::doubtful);
    EXPECT_THAT(judge(evidence, {}).reasons,
                ElementsAre(HasSubstr("corrects those that the physics limits"), expected));
    evidence.limited_rate.reset();
    EXPECT_TRUE(judge(evidence, {}).reasons.empty());
    evidence.limits = RateChanges::unseen;
    EXPECT_THAT(judge(evidence, {}).reasons, ElementsAre(HasSubstr("bottom_hole_pressure_limit is not known")));
}

TEST(Judge, CountsTimesBeyondTheTrainingAsOutside) {
    CaseEvidence evidence;
    constexpr double year = 365.25;
    evidence.last_time = 100.0 * year;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);  // nothing was learned
    evidence.trained_time = 30.0 * year;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::bad);
    EXPECT_THAT(judge(evidence, {}).reasons, ElementsAre("the times reach 100 years, those of the training 30"));
    evidence.last_time = 33.0 * year;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::doubtful);
    evidence.last_time = 30.0 * year;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
}

TEST(Judge, FindsPressuresBadThatNoRockBears) {
    CaseEvidence evidence;
    evidence.rock_load = 0.99;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
    evidence.rock_load = 1.26;
    evidence.largest_buildup = 571.0;
    const Verdict verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::bad);
    EXPECT_THAT(verdict.reasons, ElementsAre("with a build-up of 571 bar the pressure is 1.26 times that at which any "
                                             "rock breaks (0.3 bar per metre of depth)"));
}

TEST(Judge, SaysHowMuchDissolvedCo2TakesUp) {
    CaseEvidence evidence;
    evidence.absorbed = 0.05;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
    evidence.absorbed = 0.2;
    evidence.dissolved_ratio = 1.7;
    const Verdict verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::doubtful);
    EXPECT_THAT(verdict.reasons, ElementsAre("brine beside gas holds 1.7 times the CO2 that it dissolves, which hides "
                                             "20 % of the injected CO2 from the balance"));
    evidence.absorbed = 0.5;
    EXPECT_EQ(judge(evidence, {}).trust, Trust::bad);
}

TEST(Judge, ComparesWhatClosesTheBalanceWithWhatThePhysicsDissolves) {
    CaseEvidence evidence;
    evidence.dissolves_more = {0.29, 0.25};
    evidence.dissolves_less = {0.05, 0.25};  // physics of long steps dissolves too much
    EXPECT_EQ(judge(evidence, {}).trust, Trust::good);
    evidence.dissolves_more = {0.425, 0.291};
    Verdict verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::doubtful);
    EXPECT_THAT(verdict.reasons, ElementsAre("the balance is closed by dissolving 42 % of the injected CO2, where the "
                                             "reduced physics dissolves 29 %: gas is missing"));
    evidence.dissolves_more = {0.6, 0.3};
    EXPECT_EQ(judge(evidence, {}).trust, Trust::bad);
    evidence.dissolves_more.reset();
    evidence.dissolves_less = {0.01, 0.3};
    verdict = judge(evidence, {});
    EXPECT_EQ(verdict.trust, Trust::doubtful);
    EXPECT_THAT(verdict.reasons, ElementsAre("the balance is closed by dissolving 1 % of the injected CO2, where the "
                                             "reduced physics dissolves 30 %: there is too much gas"));
}

TEST(Judge, TellsWhyAnErrorIsExpected) {
    CaseEvidence evidence;
    evidence.expected = {{"gas_saturation", 3.0, "other time steps change it"}};
    EXPECT_THAT(
        judge(evidence, {}).reasons,
        ElementsAre("the expected error of gas_saturation is 3.0 times the usual one: other time steps change it"));
}

TEST(ShareOutside, CountsInWidthsOfTheRange) {
    EXPECT_EQ(share_outside(100.0, 300.0, 200.0), 0.0);
    EXPECT_DOUBLE_EQ(share_outside(100.0, 300.0, 320.0), 0.1);
    EXPECT_DOUBLE_EQ(share_outside(100.0, 300.0, 50.0), 0.25);
    EXPECT_DOUBLE_EQ(share_outside(0.2, 0.2, 0.3), 0.1 / 1.0);
}

TEST(ShareOutside, CountsWideRangesInTheirLogarithm) {
    EXPECT_NEAR(share_outside(1.0, 1e4, 1e5), 0.25, 1e-12);
    EXPECT_NEAR(share_outside(1.0, 1e4, 0.1), 0.25, 1e-12);
    EXPECT_TRUE(std::isinf(share_outside(1.0, 1e4, -1.0)));
}

TEST(TrustLimits, AreReadAsTheyWereWritten) {
    TrustLimits limits;
    limits.expected = {2.5, 10.0};
    const Json json = limits.to_json();
    JsonReader reader(json, "limits");
    EXPECT_EQ(TrustLimits::read(reader), limits);
}

TEST(TrustLimits, OfOlderModelsLackWhatWasAddedLater) {
    Json json = TrustLimits().to_json();
    Json::Object older;
    for (const auto& [name, limit] : *json.get_if<Json::Object>()) {
        if (name != "absorbed" && name != "dissolved_more" && name != "dissolved_less") {
            older.emplace_back(name, limit);
        }
    }
    const Json without = std::move(older);
    JsonReader reader(without, "limits");
    EXPECT_EQ(TrustLimits::read(reader), TrustLimits());
}

TEST(TrustLimits, RefusesLimitsThatAreNotOrdered) {
    TrustLimits limits;
    limits.reach = {2.0, 1.0};
    const Json json = limits.to_json();
    JsonReader reader(json, "limits");
    try {
        TrustLimits::read(reader);
        FAIL() << "was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("limits: reach"));
    }
}

}  // namespace
}  // namespace plumecast
