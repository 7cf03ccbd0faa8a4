#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/channels.hpp>

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

TEST(Channels, OfGuidedNetworksRoundTripThroughJson) {
    Json json;
    json["channels"] = to_json(guided_channels());
    json["fields"] = to_json(guided_fields());
    const Json parsed = Json::parse(json.dump(), "test");
    JsonReader reader(parsed, "test");
    EXPECT_EQ(read_channels(reader, "channels"), guided_channels());
    EXPECT_EQ(read_fields(reader, "fields"), guided_fields());
}

TEST(Channels, OfGuidedNetworksReadOnlyWhatTheirPhysicsGives) {
    std::vector<std::string> given = physics_field_names();
    const std::vector<std::string> scalars = physics_scalar_names();
    given.insert(given.end(), scalars.begin(), scalars.end());
    const std::vector<std::string> read = physics_sources(guided_channels(), guided_fields());
    EXPECT_FALSE(read.empty());
    for (const std::string& source : read) {
        EXPECT_TRUE(is_physics_source(source));
        EXPECT_THAT(given, ::testing::Contains(source));
    }
    EXPECT_TRUE(physics_sources(default_channels(), default_fields()).empty());
    EXPECT_FALSE(is_physics_source("physics_unknown"));
    EXPECT_FALSE(is_physics_source("porosity"));
}

TEST(Channels, KnowEveryFieldAndScalarOfThePhysics) {
    for (const std::string& name : physics_field_names()) {
        EXPECT_EQ(variation_of(name), Variation::field) << name;
    }
    for (const std::string& name : physics_scalar_names()) {
        EXPECT_EQ(variation_of(name), Variation::scalar) << name;
    }
}

TEST(Channels, RefuseCorrectionsThatContradictThemselves) {
    const Field sound = guided_fields()[0];
    EXPECT_NO_THROW(check_field(sound));
    const auto changed = [&](const auto& change) {
        Field field = sound;
        change(field);
        return field;
    };
    EXPECT_THROW(check_field(changed([](Field& f) { f.base = "physics_pressure_buildup"; })), InvalidInput);  // in bar
    EXPECT_THROW(check_field(changed([](Field& f) { f.base = "porosity"; })), InvalidInput);
    EXPECT_THROW(check_field(changed([](Field& f) { f.base = "physics_nothing"; })), InvalidInput);
    EXPECT_THROW(check_field(changed([](Field& f) { f.residual_scale = 0.0; })), InvalidInput);
    EXPECT_THROW(check_field(changed([](Field& f) { f.confined = -2; })), InvalidInput);
    EXPECT_THROW(check_field(changed([](Field& f) { f.base.clear(); })), InvalidInput);  // confined without a base
    EXPECT_THROW(check_field({"pressure_buildup", "bar", 0.0, 1.0, 0.0, {}, "", 1.0, -1, true}), InvalidInput);
    Channel channel = make_channel("a", "porosity");
    channel.factors = {{"permeability_r", 1.0}};
    EXPECT_THROW(check_channels({channel}), InvalidInput);
    channel.factors = {{"injected_co2", 1.0}};
    EXPECT_THROW(check_channels({channel}), InvalidInput) << "a map does not vary in time";
    Channel varying = make_channel("b", "physics_pressure_buildup");
    varying.factors = {{"physics_buildup_rms_by_time", 1.0}};
    EXPECT_NO_THROW(check_channels({varying}));
    Channel time = make_channel("c", "time");
    time.factors = {{"injection_rate", 1.0}};
    EXPECT_THROW(check_channels({time}), InvalidInput) << "time is the same for all cases";
}

TEST(Channels, NameTheNearestSource) {
    try {
        make_channel("k", "permeabilty_r");
        FAIL() << "an unknown source was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("permeability_r"));
    }
}

TEST(Channels, RefuseASourceWithoutAName) { EXPECT_THROW(make_channel("k", ""), InvalidInput); }

TEST(Channels, RefuseContradictions) {
    Channel time = make_channel("time", "time");
    time.mask_inactive = true;
    EXPECT_THROW(check_channels({time}), InvalidInput);
    Channel rate = make_channel("rate", "current_injection_rate");
    EXPECT_FALSE(rate.mask_inactive);
    rate.mask_inactive = true;
    EXPECT_THROW(check_channels({rate}), InvalidInput);
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
