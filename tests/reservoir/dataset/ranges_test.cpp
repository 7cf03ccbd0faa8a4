#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/batches/summary.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

TEST(InputRanges, CoverActiveCellsOfTheGivenCases) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::vector<std::int64_t> cases = {0, 1};
    const InputRanges ranges = InputRanges::over(dataset, cases);
    EXPECT_EQ(ranges.ranges().at("permeability_r"), (Range{10.0, 44.0, "mD"}));
    EXPECT_EQ(ranges.ranges().at("temperature"), (Range{40.0, 60.0, "degC"}));
    EXPECT_TRUE(ranges.outside(dataset, cases).empty());
}

TEST(InputRanges, LeaveOutInputsThatAFileDoesNotHave) {
    const ScratchFolder folder;
    const Dataset cartesian(testing::write_cartesian_sample(folder));
    const Dataset radial(testing::write_sample(folder));
    const std::vector<std::int64_t> cases = {0, 1};
    const InputRanges ranges = InputRanges::over(cartesian, cases);
    EXPECT_EQ(ranges.ranges().at("cell_injection_rate"), (Range{0.0, 1.0, "Mt/year"}));
    EXPECT_EQ(ranges.ranges().count("thickness"), 0U);
    EXPECT_TRUE(ranges.outside(cartesian, cases).empty());
    for (const OutOfRange& out : ranges.outside(radial, cases)) {
        EXPECT_TRUE(radial.has(out.field)) << out.field;
    }
}

TEST(InputRanges, LeaveOutTheValuesThatStandForNoLimit) {
    const ScratchFolder folder;
    DatasetContent content = testing::sample_content();
    content.arrays["bottom_hole_pressure_limit"] = {300.0F, 10000.0F, 250.0F};
    write_dataset(folder.file("limits.h5"), content);
    const Dataset dataset(folder.file("limits.h5"));
    const std::vector<std::int64_t> all = {0, 1, 2};
    const InputRanges ranges = InputRanges::over(dataset, all);
    EXPECT_EQ(ranges.ranges().at("bottom_hole_pressure_limit"), (Range{250.0, 300.0, "bar"}));
    EXPECT_TRUE(ranges.outside(dataset, all).empty()) << "the case without a limit lies outside of no range";
}

TEST(InputRanges, TellFieldCaseAndDistanceOutside) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::vector<std::int64_t> known = {0, 1};
    const std::vector<std::int64_t> asked = {1, 2};
    const auto found = InputRanges::over(dataset, known).outside(dataset, asked);
    const auto hot = std::find_if(found.begin(), found.end(), [](const auto& o) { return o.field == "temperature"; });
    ASSERT_NE(hot, found.end());
    EXPECT_EQ(hot->which, 2);
    EXPECT_EQ(hot->value, 90.0);
    EXPECT_EQ(hot->distance, 30.0);
}

TEST(InputRanges, AreEndsToFiveDigits) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::vector<std::int64_t> cases = {0, 1};
    const auto outside = [&](double low, double high) {
        Json json;
        json["ranges"] = Json::Object{{"temperature", Json::Object{{"min", low}, {"max", high}, {"unit", "degC"}}}};
        JsonReader reader(json, "test");
        return InputRanges::read(reader, "ranges").outside(dataset, cases).size();
    };
    EXPECT_EQ(outside(40.0001, 59.9999), 0U);
    EXPECT_EQ(outside(40.01, 60.0), 1U);
    EXPECT_EQ(outside(40.0, 59.99), 1U);
}

TEST(IsWithin, CountsEndsAsFloat32HasThem) {
    for (const double end : {0.2, 0.3, 2.0, 12.5, 200.0, 1e-6, 1e-9, 1e-3}) {
        const auto rounded = static_cast<double>(static_cast<float>(end));
        EXPECT_TRUE(is_within(end, 1e3, rounded)) << end;
        EXPECT_TRUE(is_within(end, 1e3, end)) << end;
        EXPECT_TRUE(is_within(0.0, end, rounded)) << end;
        EXPECT_TRUE(is_within(0.0, end, end)) << end;
        EXPECT_FALSE(is_within(0.0, end, 1.001 * end)) << end;
        EXPECT_FALSE(is_within(end, 1e3, 0.999 * end)) << end;
    }
    EXPECT_FALSE(is_within(0.0, 1.0, std::nan("")));
}

TEST(InputRanges, HoldTheRangesThatCasesWereDrawnFrom) {
    const ScratchFolder folder;
    const std::string path = testing::write_sample(folder);
    const std::vector<std::int64_t> cases = {0, 1, 2};
    InputRanges ranges = InputRanges::over(Dataset(path), cases);
    const Range drawn = ranges.ranges().at("temperature");
    for (const char* other : {"", "GEOS 1.1 (2024)", "{\"inputs\": ", "12", "[35, 125]", R"({"inputs": 3})"}) {
        ranges.include_drawn_from(other);
        EXPECT_EQ(ranges.ranges().at("temperature"), drawn) << other;
    }
    ranges.include_drawn_from(R"({"inputs": {"temperature": [35, 125.0], "least_perforation": 12.5}})");
    EXPECT_EQ(ranges.ranges().at("temperature"), (Range{35.0, 125.0, "degC"}));
}

TEST(InputRanges, RoundTripThroughJson) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::vector<std::int64_t> cases = {0, 2};
    const InputRanges ranges = InputRanges::over(dataset, cases);
    Json json;
    json["ranges"] = ranges.to_json();
    const Json parsed = Json::parse(json.dump(), "test");
    JsonReader reader(parsed, "test");
    EXPECT_EQ(InputRanges::read(reader, "ranges"), ranges);
}

TEST(InputRanges, WidenToHoldThoseOfAnotherDataSet) {
    const ScratchFolder folder;
    const Dataset dataset(testing::write_sample(folder));
    const std::vector<std::int64_t> first{0}, last{2}, both{0, 2};
    InputRanges joined;
    joined.include(InputRanges::over(dataset, first));
    EXPECT_EQ(joined, InputRanges::over(dataset, first));
    joined.include(InputRanges::over(dataset, last));
    EXPECT_EQ(joined, InputRanges::over(dataset, both));
}

TEST(Describe, TellsExtentsRangesAndSizes) {
    const ScratchFolder folder;
    const DataSummary summary = describe(testing::write_sample(folder));
    EXPECT_EQ(summary.kind, "data set");
    EXPECT_EQ(summary.cases, 3);
    EXPECT_EQ(summary.snapshots, 3);
    EXPECT_EQ(summary.radius, 100.0);
    EXPECT_EQ(summary.inputs.at("injection_rate").high, 1.5);
    EXPECT_THAT(summary.outputs, ::testing::ElementsAre("gas_saturation", "pressure_buildup"));
    EXPECT_GT(summary.file_bytes, 0U);
}

}  // namespace
}  // namespace plumecast
