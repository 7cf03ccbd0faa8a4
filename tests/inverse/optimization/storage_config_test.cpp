#include "inverse/optimization/storage_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// The message of what `action` throws.
template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::string refusal(const std::vector<std::string>& assignments, std::vector<StorageLimit> limits = {}) {
    return message_of([&] {
        StorageConfig config = StorageConfig::example();
        if (!limits.empty()) {
            config.limits = limits;
        }
        for (const std::string& one : assignments) {
            config.set(one);
        }
        config.check();
    });
}

TEST(StorageConfig, ReadsWhatItWrites) {
    StorageConfig config = StorageConfig::example();
    config.cases = {2, 5};
    config.ends = {365.0, 3650.0};
    config.top = {{0.0, 20.0}};
    config.length = {{5.0, 40.0}};
    config.top_depth = 1200.0;
    config.limits.push_back({.figure = "front_radius", .at_most = 5000.0, .margin = 100.0, .front = 2.0});
    config.limits.back().probability = 0.8;
    config.limits.push_back({.figure = "mass_outside", .at_most = 0.01, .polygon = "licence.geojson"});
    config.limits.push_back({.figure = "pressure_buildup", .at_most = 2.0, .x = 500.0, .y = -20.0});
    config.limits.push_back({.figure = "gas_saturation", .at_most = 0.01, .r = 5000.0});
    config.well_places = {{100.0, 200.0}, {300.0, 400.0}};
    const Json json = config.to_json();
    EXPECT_EQ(StorageConfig::from_json(json, "config.json").to_json(), json);
    EXPECT_NO_THROW(config.check());
}

TEST(StorageConfig, SetsEntriesOfLists) {
    StorageConfig config = StorageConfig::example();
    config.set("limits.0.margin=5");
    config.set("rates.range=[0.5, 2]");
    config.set("data=sites.h5");
    config.set("top_depth=1200");
    config.set("limits.0.probability=0.8");
    EXPECT_EQ(config.top_depth, 1200.0);
    EXPECT_EQ(config.limits[0].probability, 0.8);
    EXPECT_EQ(config.limits[0].margin, 5.0);
    EXPECT_EQ(config.rate.low, 0.5);
    EXPECT_EQ(config.data, "sites.h5");
}

TEST(StorageConfig, NamesTheNearestEntry) {
    EXPECT_THAT(refusal({"search.point=8"}), HasSubstr("did you mean 'points'?"));
    EXPECT_THAT(message_of([] { StorageConfig::from_json(Json::parse(R"({"data": "a.h5", "limit": []})", "c"), "c"); }),
                HasSubstr("limits"));
}

TEST(StorageConfig, NamesLimitsThatContradictEachOther) {
    EXPECT_THAT(refusal({}, {{.figure = "max_buildup", .at_most = 40.0}, {.figure = "max_buildup", .at_least = 60.0}}),
                HasSubstr("limits[1] (max_buildup) cannot be used (it contradicts limits[0], max_buildup at most 40"));
    EXPECT_THAT(refusal({}, {{.figure = "max_buildup", .at_most = 40.0, .at_least = 38.0, .margin = 2.0}}),
                HasSubstr("at least 38 and at most 40, with a margin of 2, contradict each other"));
}

TEST(StorageConfig, RefusesWhatCannotBeUsed) {
    EXPECT_THAT(refusal({"probability=1.5"}), HasSubstr("1.5 is no probability"));
    EXPECT_THAT(refusal({"rates.range=[2, 1]"}), HasSubstr("rates.range cannot be used ([2, 1] is no range"));
    EXPECT_THAT(refusal({"rates.ends=[100, 50]"}), HasSubstr("rates.ends[1] cannot be used (50"));
    EXPECT_THAT(refusal({"well_radius=20"}),
                HasSubstr("well_radius cannot be used (20 is not a number from 0.001 to 10 m); give it in m"));
    EXPECT_THAT(refusal({"top_depth=1e6"}), HasSubstr("top_depth cannot be used (1e+06 is not a number from"));
    EXPECT_THAT(refusal({"fracture.gradient=1.6"}), HasSubstr("fracture.gradient cannot be used (1.6 bar/m"));
    EXPECT_THAT(refusal({"limits.0.margin=-1"}),
                HasSubstr("limits[0] (fracture_margin).margin cannot be used (-1 is below 0"));
    EXPECT_THAT(refusal({}, {{.figure = "plume_radius_2", .at_most = 5.0}}), HasSubstr("2 is no gas saturation"));
    EXPECT_THAT(refusal({}, {{.figure = "max_buildup"}}), HasSubstr("neither at_most nor at_least"));
    EXPECT_THAT(refusal({}, {{.figure = "max_buildup", .at_most = 5.0}}),
                HasSubstr("fracture cannot be used (no limit reads it)"));
    EXPECT_THAT(refusal({}, {{.figure = "max_buildup", .at_most = 5.0, .front = 2.0}}),
                HasSubstr("this figure has no front"));
}

TEST(StorageConfig, RefusesPlacesAndAreasThatItsFiguresDoNotHave) {
    const auto of = [](StorageLimit limit) {
        limit.at_most = 1.0;
        return refusal({"fracture={}"}, {std::move(limit)});
    };
    EXPECT_THAT(of({.figure = "mass_outside"}), HasSubstr("name the file of a polygon"));
    EXPECT_THAT(of({.figure = "max_buildup", .polygon = "a.geojson"}), HasSubstr("this figure has no area"));
    EXPECT_THAT(of({.figure = "max_buildup", .r = 5.0}), HasSubstr("this figure has no place"));
    EXPECT_THAT(of({.figure = "pressure_buildup"}), HasSubstr("give x and y on the map in metres, or r"));
    EXPECT_THAT(of({.figure = "pressure_buildup", .x = 5.0}), HasSubstr("a field is limited at one place"));
    EXPECT_THAT(of({.figure = "gas_saturation", .x = 5.0, .y = 5.0, .r = 5.0}), HasSubstr("at one place"));
    EXPECT_EQ(of({.figure = "gas_saturation", .x = 5.0, .y = 5.0}), "nothing was thrown");
}

TEST(StorageLimit, IsNamedByItsPlaceOrArea) {
    EXPECT_EQ((StorageLimit{.figure = "mass_outside", .at_most = 0.5, .polygon = "a.geojson"}).name(),
              "mass_outside of a.geojson at most 0.5");
    EXPECT_EQ((StorageLimit{.figure = "pressure_buildup", .at_most = 2.0, .x = 500.0, .y = -20.0}).name(),
              "pressure_buildup at x 500 m, y -20 m at most 2");
    EXPECT_EQ((StorageLimit{.figure = "gas_saturation", .at_most = 0.01, .r = 5e3}).name(),
              "gas_saturation at r 5000 m at most 0.01");
}

TEST(StorageConfig, AsksForTheRockOfAFractureMargin) {
    StorageConfig config = StorageConfig::example();
    config.fracture = {};
    EXPECT_THAT(message_of([&] { config.check(); }), HasSubstr("give fracture.gradient or fracture.pressure"));
}

TEST(StorageConfig, MeasuresTheThresholdsThatItsLimitsName) {
    StorageConfig config = StorageConfig::example();
    config.limits.push_back({.figure = "plume_radius_0.05", .at_most = 100.0});
    EXPECT_THAT(config.series_of(3.0).thresholds, ::testing::ElementsAre(plume_threshold, 0.2, 0.05));
    EXPECT_EQ(config.series_of(3.0).pressure_front, 3.0);
}

}  // namespace
}  // namespace plumecast
