
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/case_model/configuration.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

GeneratorConfiguration read(const std::string& text) {
    return GeneratorConfiguration::from_json(Json::parse(text, "cases.json"), "cases.json");
}

std::string error_of(const std::string& text) {
    try {
        read(text);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(GeneratorConfiguration, TakesDefaultsForWhatIsLeftOut) {
    const GeneratorConfiguration configuration = read(R"({"seed": 7, "grid": {"rows": 8}})");
    EXPECT_EQ(configuration.seed, 7u);
    EXPECT_EQ(configuration.grid.rows, 8);
    EXPECT_EQ(configuration.grid.columns, 64);
    EXPECT_EQ(configuration.inputs.thickness, (ValueRange{12.5, 200.0}));
}

TEST(GeneratorConfiguration, ReadsWhatItWrites) {
    GeneratorConfiguration configuration;
    configuration.cases = 3;
    configuration.permeability.facies = {2, 3};
    configuration.permeability.shares = {0.0, 0.0, 1.0, 0.0, 0.0};
    const std::string text = configuration.to_json().dump();
    EXPECT_EQ(read(text).to_json().dump(), text);
}

TEST(GeneratorConfiguration, TakesOtherDefaultsWithABox) {
    const GeneratorConfiguration configuration = read(R"({"box": {"rows": 6}, "wells": {"count": [2, 2]}})");
    ASSERT_TRUE(configuration.box);
    EXPECT_EQ(configuration.box->rows, 6);
    EXPECT_EQ(configuration.box->columns, BoxSettings().columns);
    EXPECT_EQ(configuration.wells.count.low, 2);
    EXPECT_EQ(configuration.inputs.thickness, GeneratorConfiguration::cartesian().inputs.thickness);
    const std::string text = configuration.to_json().dump();
    EXPECT_EQ(read(text).to_json().dump(), text);
    EXPECT_EQ(GeneratorConfiguration().to_json().find("box"), nullptr);
}

TEST(GeneratorConfiguration, RefusesBoxesThatCannotBeFilled) {
    EXPECT_THAT(error_of(R"({"box": {"lines": 0}})"), HasSubstr("box.lines"));
    EXPECT_THAT(error_of(R"({"box": {"aquifer": 0.5}})"), HasSubstr("box.aquifer"));
    EXPECT_THAT(error_of(R"({"box": {"length_x": 3000}})"), HasSubstr("wells.margin"));
    EXPECT_THAT(error_of(R"({"box": {}, "wells": {"count": [0, 2]}})"), HasSubstr("wells.count"));
    EXPECT_THAT(error_of(R"({"box": {}, "inputs": {"thickness": [10, 150]}})"), HasSubstr("inputs.thickness"));
    EXPECT_THAT(error_of(R"({"box": {}, "grid": {"rows": 4}})"), HasSubstr("grid"));
    EXPECT_THAT(error_of(R"({"wells": {"count": [1, 2]}})"), HasSubstr("wells"));
}

TEST(GeneratorConfiguration, NamesTheNearestEntryForAMisspeltOne) {
    EXPECT_THAT(error_of(R"({"gird": {}})"), HasSubstr("'grid'"));
    EXPECT_THAT(error_of(R"({"inputs": {"temprature": [40, 50]}})"), HasSubstr("'temperature'"));
    EXPECT_THAT(error_of(R"({"media": {"gausian": 1}})"), HasSubstr("'gaussian'"));
}

TEST(GeneratorConfiguration, RefusesWhatCannotBeDrawn) {
    EXPECT_THAT(error_of(R"({"inputs": {"temperature": [50, 40]}})"), HasSubstr("inputs.temperature"));
    EXPECT_THAT(error_of(R"({"inputs": {"temperature": [40, 171]}})"), HasSubstr("12.0 and 170.0"));
    EXPECT_THAT(error_of(R"({"inputs": {"thickness": [10]}})"), HasSubstr("a range has two"));
    EXPECT_THAT(error_of(R"({"inputs": {"thickness": [10, 300]}})"), HasSubstr("inputs.thickness"));
    EXPECT_THAT(error_of(R"({"grid": {"rows": 0}})"), HasSubstr("grid.rows"));
    EXPECT_THAT(error_of(R"({"cases": 0})"), HasSubstr("cases"));
    EXPECT_THAT(error_of(R"({"seed": -1})"), HasSubstr("seed"));
    EXPECT_THAT(error_of(R"({"output_bits": 24})"), HasSubstr("output_bits"));
    EXPECT_THAT(error_of(R"({"permeability": {"geometric_mean": [0, 5]}})"), HasSubstr("geometric_mean"));
}

TEST(GeneratorConfiguration, NeedsAMediumWithAShare) {
    EXPECT_THAT(error_of(R"({"media": {"gaussian": 0, "von_karman": 0, "discontinuous": 0, "layered": 0,
                             "homogeneous": 0}})"),
                HasSubstr("no medium has a share"));
}

}  // namespace
}  // namespace plumecast::testing
