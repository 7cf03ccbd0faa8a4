#include "service/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast::service {
namespace {

using ::testing::HasSubstr;

Measure measure_of(const std::string& text) {
    const Json json = Json::parse(text, "test");
    return read_measure(JsonReader(json, "request: measure"));
}

std::string refusal_of_measure(const std::string& text) {
    try {
        measure_of(text);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Measure, ReadsWhatTheReportTakes) {
    const Measure measure = measure_of(
        R"({"top_depth": 1500, "drinking_water": {"depth": 300, "brine_density": 1080, "water_density": 1000},)"
        R"("fracture_gradient": 0.16, "fracture_factor": 0.8})");
    EXPECT_EQ(measure.top_depth, 1500.0);
    EXPECT_EQ(measure.series.drinking_water->depth, 300.0);
    EXPECT_EQ(measure.series.drinking_water->water_density, 1000.0);
    EXPECT_TRUE(measure.series.has_review());
    EXPECT_DOUBLE_EQ(measure.series.fracture.allowed(0, 1000.0), 0.8 * 160.0);
    EXPECT_FALSE(measure_of("{}").series.has_review());
}

TEST(Measure, NamesTheEntryThatIsWrong) {
    EXPECT_THAT(refusal_of_measure(R"({"drinking_water": {"depth": 300, "brine_density": 1080}})"),
                HasSubstr("measure.top_depth is missing"));
    EXPECT_THAT(refusal_of_measure(R"({"top_depth": 200, "drinking_water": {"depth": 300, "brine_density": 1080}})"),
                HasSubstr("measure.drinking_water.depth is 300"));
    EXPECT_THAT(refusal_of_measure(R"({"top_depth": 1500, "drinking_water": {"depth": 300, "brine_density": 1.08}})"),
                HasSubstr("brine_density is 1.08"));
    EXPECT_THAT(refusal_of_measure(R"({"fracture_gradient": 16})"), HasSubstr("fracture_gradient is 16"));
    EXPECT_THAT(refusal_of_measure(R"({"fracture_gradient": 0.16, "fracture_pressure": 200})"),
                HasSubstr("remove one of them"));
    EXPECT_THAT(refusal_of_measure(R"({"pressure_front": 0})"), HasSubstr("pressure_front is 0"));
    EXPECT_THAT(refusal_of_measure(R"({"front": 1})"), HasSubstr("unknown key 'front'"));
    EXPECT_THAT(
        refusal_of_measure(
            R"({"pressure_front": 2, "top_depth": 1500, "drinking_water": {"depth": 300, "brine_density": 1080}})"),
        HasSubstr("pressure_front is given beside drinking_water"));
}

}  // namespace
}  // namespace plumecast::service
