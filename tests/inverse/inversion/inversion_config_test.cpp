#include "inverse/inversion/inversion_config.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

InversionConfig config_of_text(const std::string& text) {
    return InversionConfig::from_json(Json::parse(text, "inversion.json"), "inversion.json", "there");
}

TEST(InversionConfigTest, ReadsWhatItWrites) {
    const InversionConfig defaults = InversionConfig::defaults();
    const InversionConfig read = InversionConfig::from_json(defaults.to_json(), "inversion.json", "");
    EXPECT_EQ(read.to_json().dump(), defaults.to_json().dump());
    EXPECT_NO_THROW(read.check());
}

TEST(InversionConfigTest, CountsPathsFromTheFolderOfTheFile) {
    const InversionConfig config =
        config_of_text(R"({"case": "case.h5", "model": "estimate", "model_error": "off", "prior": "/a/b.h5"})");
    EXPECT_EQ(config.case_file, "there/case.h5");
    EXPECT_EQ(config.prior, "/a/b.h5");
    EXPECT_EQ(config.model, "estimate");
    EXPECT_EQ(config.model_error, "off");
}

TEST(InversionConfigTest, RefusesUnknownEntriesAndMethodsWithTheNearestName) {
    for (const auto& [misspelt, meant] :
         {std::pair{R"({"priro": "a.h5"})", "prior"}, std::pair{R"({"component": 3})", "'components'"},
          std::pair{R"({"move": 3})", "'moves'"}, std::pair{R"({"iteration": 3})", "'iterations'"},
          std::pair{R"({"method": "esmd"})", "esmda"}, std::pair{R"({"method": "rmll"})", "rml"}}) {
        EXPECT_THAT([&] { config_of_text(misspelt); },
                    ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr(meant)))
            << misspelt;
    }
}

TEST(InversionConfigTest, KnowsItsMethods) {
    for (const char* name : {"esmda", "smc", "rml", "map"}) {
        const InversionConfig config = config_of_text(R"({"method": ")" + std::string(name) + R"("})");
        EXPECT_EQ(config.method_name(), name);
    }
}

TEST(InversionConfigTest, SetsOneEntryOfItsKind) {
    InversionConfig config = InversionConfig::defaults();
    config.set("steps=6");
    config.set("case=123.h5");
    config.set(R"(unknown=["porosity"])");
    EXPECT_EQ(config.steps, 6);
    EXPECT_EQ(config.case_file, "123.h5");
    EXPECT_THAT(config.unknown, ::testing::ElementsAre("porosity"));
    EXPECT_THAT([&] { config.set("step=6"); }, ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("'steps'")));
    EXPECT_THROW(config.set("steps=many"), InvalidInput);
    EXPECT_THROW(config.set("steps"), InvalidInput);
}

TEST(InversionConfigTest, RefusesWhatIsMissingOrOutOfRange) {
    const auto refused = [](const std::string& assignment, const std::string& says) {
        InversionConfig config = InversionConfig::defaults();
        config.set(assignment);
        EXPECT_THAT([&] { config.check(); }, ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr(says)))
            << assignment;
    };
    refused("prior=", "'prior' is empty");
    refused("unknown=[]", "'unknown' is empty");
    refused(R"(unknown=["porosity","porosity"])", "twice");
    refused("steps=0", "'steps' is 0");
    refused("members=3", "'members' is 3");
    refused("localization=-1", "'localization' is -1");
    refused("components=-1", "'components' is -1");
    refused("moves=0", "'moves' is 0");
    refused("iterations=0", "'iterations' is 0");
}

}  // namespace
}  // namespace plumecast
