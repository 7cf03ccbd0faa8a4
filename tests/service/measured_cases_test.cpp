#include "service/measured_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_scenario.hpp"

namespace plumecast::service {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ComputedCases computed_with(double rate) {
    Json one = testing::small_case();
    one["injection_rate"] = rate;
    return estimated(read_scenario(Json::Object{{"cases", Json::Array{one}}}, testing::small_axes(), {}), 1, nullptr);
}

TEST(CaseMeter, MeasuresAsTheReportDoes) {
    const ComputedCases computed = computed_with(0.01);
    Measure measure;
    measure.top_depth = 1500.0;
    measure.series.pressure_front = 2.0;
    const CaseMeter meter(computed, measure);
    std::string why;
    std::optional<MeasuredCase> measured = meter.measured(0, why);
    ASSERT_TRUE(measured.has_value()) << why;
    EXPECT_EQ(measured->top_depth, 1500.0);
    EXPECT_NE(find_series(measured->series, "review_radius"), nullptr);
    EXPECT_THAT(findings(meter.content({std::move(*measured)})),
                Contains("depth of the top of the formation: 1500 m, as given"));
}

TEST(CaseMeter, CountsWhatALimitOfThePressureInTheWellLetsIn) {
    Json one = testing::small_case();
    one["injection_rate"] = 0.002;
    Scenario scenario = read_scenario(Json::Object{{"cases", Json::Array{one, one}}}, testing::small_axes(), {});
    const float top = scenario.content.arrays.at("initial_pressure")[0];
    scenario.content.arrays["bottom_hole_pressure_limit"] = {9999.0F, top + 5.0F};
    const ComputedCases computed = estimated(std::move(scenario), 1, nullptr);
    const CaseMeter meter(computed, {});
    std::string why;
    const auto last = [&](std::size_t which, const char* name) {
        const std::optional<MeasuredCase> measured = meter.measured(which, why);
        return find_series(measured.value().series, name)->values.back();
    };
    EXPECT_NEAR(last(0, "mass_injected"), 0.002 * 100.0 / 365.25, 1e-8);
    EXPECT_LT(last(1, "mass_injected"), 0.9 * last(1, "mass_asked"));
    EXPECT_NEAR(last(1, "mass_balance"), 1.0, 1e-4);
}

TEST(CaseMeter, SaysWhyACaseHasNoFigures) {
    const ComputedCases computed = computed_with(1000.0);
    const CaseMeter meter(computed, {});
    std::string why;
    EXPECT_FALSE(meter.measured(0, why).has_value());
    EXPECT_THAT(why, HasSubstr("has no values"));
}

}  // namespace
}  // namespace plumecast::service
