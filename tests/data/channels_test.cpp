#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/data/channels.hpp>

namespace plumecast {
namespace {

TEST(Channels, RoundTripThroughJson) {
    Json json;
    json["channels"] = to_json(default_channels());
    json["fields"] = to_json(published_fields());
    json["scaled"] = to_json(default_fields());
    const Json parsed = Json::parse(json.dump(), "test");
    JsonReader reader(parsed, "test");
    EXPECT_EQ(read_channels(reader, "channels"), default_channels());
    EXPECT_EQ(read_fields(reader, "fields"), published_fields());
    EXPECT_EQ(read_fields(reader, "scaled"), default_fields());
    EXPECT_FALSE(default_fields()[1].factors.empty());
}

TEST(Channels, NameTheNearestSource) {
    try {
        make_channel("k", "permeabilty_r");
        FAIL() << "an unknown source was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("permeability_r"));
    }
}

TEST(Channels, RefuseContradictions) {
    Channel time = make_channel("time", "time");
    time.mask_inactive = true;
    EXPECT_THROW(check_channels({time}), InvalidInput);
    Channel celsius = make_channel("temperature", "temperature");
    celsius.unit = "K";
    EXPECT_THROW(check_channels({celsius}), InvalidInput);
    EXPECT_THROW(check_channels({make_channel("a", "porosity"), make_channel("a", "time")}), InvalidInput);
    EXPECT_THROW(check_channels({make_channel("a", "porosity", Transform::identity, 0.0, 0.0)}), InvalidInput);
}

TEST(Channels, RefuseFieldsThatContradictThemselves) {
    EXPECT_THROW(check_field({"pressure_buildup", "bar", 0.0, 0.0}), InvalidInput);
    EXPECT_THROW(check_field({"pressure_buildup", "bar", 0.0, 1.0, -1.0}), InvalidInput);
    EXPECT_THROW(check_field({"pressure_buildup", "bar", 0.0, 1.0, 0.0, {{"porosity", 1.0}}}), InvalidInput);
    EXPECT_THROW(check_field({"pressure_buildup", "bar", 0.0, 1.0, 0.0, {{"rate", 1.0}}}), InvalidInput);
    EXPECT_NO_THROW(check_field({"pressure_buildup", "bar", 0.0, 1.0, 0.0, {{"transmissivity", -0.8}}}));
}

TEST(Channels, OfBothDefaultsAreSound) {
    EXPECT_NO_THROW(check_channels(published_channels()));
    EXPECT_NO_THROW(check_channels(default_channels()));
    EXPECT_EQ(published_channels().size(), 12U);
}

}  // namespace
}  // namespace plumecast
