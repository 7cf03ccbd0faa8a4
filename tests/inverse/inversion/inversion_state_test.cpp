#include "inverse/inversion/inversion_state.hpp"

#include <filesystem>
#include <limits>
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
    state.facts["numbers"] = json_of_numbers({4, 0, 7});
    state.matrices["some"] =
        (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, -std::numeric_limits<double>::infinity()).finished();
    state.values["porosity"] = {0.25F, 0.1F};
    write_state(path, state);
    const auto read = read_state(path);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(numbers_of(*read->facts.find("numbers")), (std::vector<std::int64_t>{4, 0, 7}));
    EXPECT_EQ(read->matrices.at("some"), state.matrices.at("some"));
    EXPECT_EQ(read->values, state.values);
    std::filesystem::remove(path);
}

TEST(InversionState, LiesBesideTheFolder) {
    EXPECT_EQ(inversion_state_file("there/posterior"), "there/posterior.state.safetensors");
    EXPECT_EQ(inversion_state_file("there/posterior/"), "there/posterior.state.safetensors");
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
