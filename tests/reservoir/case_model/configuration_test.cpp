
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

TEST(GeneratorConfiguration, ReadsHowLayersLie) {
    const GeneratorConfiguration configuration = read(R"({"box": {"topography": {"dip": 3,
        "anticlines": [{"height": 40, "x": 5000, "y": 5000, "length": 3000, "width": 1500}],
        "faults": [{"at": 4000, "throw": 25}, {"along": "x", "at": 6000, "throw": -10, "ends": [0, 5000],
                    "multiplier": [0.01, 1]}]}}})");
    const TopographySettings& topography = *configuration.box->topography;
    EXPECT_EQ(topography.anticlines[0].width, 1500.0);
    EXPECT_EQ(topography.faults[0].along, FaultAxis::y);
    EXPECT_FALSE(topography.faults[0].ends);
    EXPECT_EQ(topography.faults[1].displacement, -10.0);
    EXPECT_EQ(topography.faults[1].ends->high, 5000.0);
    const std::string text = configuration.to_json().dump();
    EXPECT_EQ(read(text).to_json().dump(), text);
    EXPECT_EQ(GeneratorConfiguration::cartesian().to_json().dump().find("topography"), std::string::npos);
}

TEST(GeneratorConfiguration, RefusesLayersThatCannotLieSo) {
    const auto of_topography = [](const std::string& entries) {
        return error_of(R"({"box": {"topography": {)" + entries + "}}}");
    };
    EXPECT_THAT(of_topography(R"("dip": 60)"), HasSubstr("box.topography.dip"));
    EXPECT_THAT(of_topography(R"("dips": 6)"), HasSubstr("'dip'"));
    EXPECT_THAT(of_topography(R"("anticlines": [{"height": 40, "x": 1, "y": 1, "length": 3000, "width": 0}])"),
                HasSubstr("box.topography.anticlines[0].width"));
    EXPECT_THAT(of_topography(R"("anticlines": [{"height": 40}])"), HasSubstr("anticlines[0].x is missing"));
    EXPECT_THAT(of_topography(R"("faults": [{"at": 10000, "throw": 5}])"), HasSubstr("box.topography.faults[0].at"));
    EXPECT_THAT(of_topography(R"("faults": [{"at": 5000, "throw": 5, "ends": [3, 3]}])"), HasSubstr("faults[0].ends"));
    EXPECT_THAT(of_topography(R"("faults": [{"at": 5000, "throw": 5, "multiplier": [0, 1]}])"),
                HasSubstr("faults[0].multiplier"));
    EXPECT_THAT(of_topography(R"("faults": [{"along": "z", "at": 5000, "throw": 5}])"), HasSubstr("along"));
    EXPECT_THAT(of_topography(R"("faults": [{"at": 5000}])"), HasSubstr("faults[0].throw is missing"));
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
