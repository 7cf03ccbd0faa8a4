#include "inverse/inversion/inversion_state.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "inverse/inversion/inversion_identity.hpp"
#include "inverse/inversion/invert.hpp"

namespace plumecast {
namespace {

TEST(InversionState, IsReadAsItWasWritten) {
    const std::string path = ::testing::TempDir() + "plumecast_inversion.state.safetensors";
    std::filesystem::remove(path);
    EXPECT_FALSE(read_state(path).has_value());
    InversionState state;
    const std::map<std::int64_t, std::string> failed{{3, "no pressure"}, {12, ""}};
    state.facts["numbers"] = json_of_numbers({4, 0, 7});
    state.facts["failed"] = json_of_texts(failed);
    state.matrices["some"] =
        (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, -std::numeric_limits<double>::infinity()).finished();
    state.values["porosity"] = {0.25F, 0.1F};
    write_state(path, state);
    const auto read = read_state(path);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->numbers("numbers"), (std::vector<std::int64_t>{4, 0, 7}));
    EXPECT_EQ(read->texts("failed"), failed);
    EXPECT_EQ(read->matrix("some"), state.matrices.at("some"));
    EXPECT_EQ(read->values, state.values);
    std::filesystem::remove(path);
}

TEST(InversionState, IsRefusedByItsFileWhereItIsDamaged) {
    InversionState state;
    state.path = "post.state.safetensors";
    state.facts = Json::parse(R"({"numbers": [1, "two"], "failed": {"first": "x"}, "not_good": 3})", "facts");
    const auto refused = [](const auto& read, const char* says) {
        EXPECT_THAT(
            read, ::testing::ThrowsMessage<InvalidModel>(::testing::AllOf(
                      ::testing::HasSubstr("post.state.safetensors: is a damaged state"), ::testing::HasSubstr(says))));
    };
    refused([&] { state.matrix("figures"); }, "lacks the matrix 'figures'");
    refused([&] { state.numbers("rests"); }, "lacks the numbers 'rests'");
    refused([&] { state.numbers("numbers"); }, "'numbers' holds what is no number");
    refused([&] { state.texts("failed"); }, "'failed' holds");
    refused([&] { state.texts("not_good"); }, "lacks the texts 'not_good'");
}

TEST(InversionState, LiesBesideTheFolder) {
    EXPECT_EQ(inversion_state_file("there/posterior"), "there/posterior.state.safetensors");
    EXPECT_EQ(inversion_state_file("there/posterior/"), "there/posterior.state.safetensors");
}

TEST(InversionState, IsOfTheSameInversionFromWhereverItsFilesAreNamed) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "plumecast_identity";
    std::filesystem::create_directories(folder);
    InversionConfig config = InversionConfig::defaults();
    config.model = "estimate";
    for (std::string* file : {&config.case_file, &config.prior, &config.observations}) {
        *file = (folder / *file).string();
        std::ofstream(*file) << "content of " << *file;
    }
    const Json here = identity_of(config, nullptr);
    InversionConfig elsewhere = config;
    for (std::string* file : {&elsewhere.case_file, &elsewhere.prior, &elsewhere.observations}) {
        *file = (folder / "." / std::filesystem::path(*file).filename()).string();
    }
    ASSERT_NE(elsewhere.prior, config.prior);
    EXPECT_NO_THROW(require_same_identity("x", here, identity_of(elsewhere, nullptr)));
    std::ofstream(config.prior) << "another content";
    EXPECT_THAT([&] { require_same_identity("x", here, identity_of(elsewhere, nullptr)); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("content of prior")));
    std::filesystem::remove_all(folder);
}

TEST(InversionState, IsRefusedWhereTheInversionWasAnother) {
    const Json kept = Json::parse(R"({"steps": 4, "content of prior": "ab"})", "kept");
    EXPECT_NO_THROW(require_same_identity("x", kept, kept));
    const Json now = Json::parse(R"({"steps": 4, "content of prior": "cd"})", "now");
    EXPECT_THAT([&] { require_same_identity("x", kept, now); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("content of prior")));
}

}  // namespace
}  // namespace plumecast
