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

TEST(CaseMeter, SaysWhyACaseHasNoFigures) {
    const ComputedCases computed = computed_with(1000.0);
    const CaseMeter meter(computed, {});
    std::string why;
    EXPECT_FALSE(meter.measured(0, why).has_value());
    EXPECT_THAT(why, HasSubstr("has no values"));
}

}  // namespace
}  // namespace plumecast::service
