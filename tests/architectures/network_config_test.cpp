#include <gmock/gmock.h>

#include <functional>

#include <plumecast/architectures/network.hpp>

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_of(const std::function<void(NetworkConfig&)>& change, const std::string& architecture = "ufno") {
    NetworkConfig config = NetworkConfig::published(architecture);
    change(config);
    try {
        config.check();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(NetworkConfig, AcceptsThePublishedOnes) {
    for (const std::string& name : architecture_names()) {
        EXPECT_NO_THROW(NetworkConfig::published(name).check()) << name;
    }
}

TEST(NetworkConfig, NamesTheNearestArchitecture) {
    EXPECT_THAT(message_of([](NetworkConfig& c) { c.architecture = "ufnoo"; }),
                AllOf(HasSubstr("unknown architecture 'ufnoo'"), HasSubstr("did you mean 'ufno'?")));
    EXPECT_THAT(message_of([](NetworkConfig& c) { c.architecture = "transformer"; }), HasSubstr("choose one of them"));
}

TEST(NetworkConfig, NamesEntryReasonAndRemedy) {
    const std::vector<std::pair<std::string, std::function<void(NetworkConfig&)>>> wrong{
        {"channels", [](NetworkConfig& c) { c.channels = 0; }},
        {"fields", [](NetworkConfig& c) { c.fields = 0; }},
        {"width", [](NetworkConfig& c) { c.width = 0; }},
        {"hidden", [](NetworkConfig& c) { c.hidden = -1; }},
        {"modes", [](NetworkConfig& c) { c.modes = {10}; }},
        {"modes",
         [](NetworkConfig& c) {
             c.modes = {10, 0, 10};
         }},
        {"padding",
         [](NetworkConfig& c) {
             c.padding = {8, 8};
         }},
        {"padding",
         [](NetworkConfig& c) {
             c.padding = {8, -8, 8};
         }},
        {"edges", [](NetworkConfig& c) { c.edges.pop_back(); }},
        {"fourier_blocks", [](NetworkConfig& c) { c.fourier_blocks = -1; }},
        {"extended_blocks", [](NetworkConfig& c) { c.extended_blocks = -1; }},
        {"residual_blocks", [](NetworkConfig& c) { c.residual_blocks = -1; }},
        {"lifting", [](NetworkConfig& c) { c.lifting = -1; }},
        {"spectral_mlp", [](NetworkConfig& c) { c.spectral_mlp = -1; }},
        {"channel_mlp", [](NetworkConfig& c) { c.channel_mlp = -1; }},
        {"pad_lifted",
         [](NetworkConfig& c) {
             c.lifting = 4;
             c.pad_lifted = true;
         }},
        {"time_kernel", [](NetworkConfig& c) { c.time_kernel = 2; }},
        {"time_strides", [](NetworkConfig& c) { c.time_kernel = 1; }},
        {"padded_multiple", [](NetworkConfig& c) { c.padded_multiple = 4; }},
        {"padded_multiple", [](NetworkConfig& c) { c.padded_multiple = 0; }}};
    for (const auto& [entry, change] : wrong) {
        EXPECT_THAT(message_of(change),
                    AllOf(HasSubstr("network entry '" + entry + "'"), HasSubstr(" ("), HasSubstr("); set ")))
            << entry;
    }
}

TEST(NetworkConfig, NeedsABlock) {
    EXPECT_THAT(message_of([](NetworkConfig& c) { c.fourier_blocks = c.extended_blocks = 0; }),
                HasSubstr("'fourier_blocks'"));
}

TEST(NetworkConfig, KeepsFnoPlain) {
    EXPECT_THAT(message_of([](NetworkConfig& c) { c.extended_blocks = 1; }, "fno"), HasSubstr("'extended_blocks'"));
}

TEST(NetworkConfig, LimitsConvolutionsToThreeAxesOfSpace) {
    const auto axes = [](std::size_t count) {
        return [count](NetworkConfig& c) {
            c.modes.assign(count, 4);
            c.padding.assign(count, 0);
            c.edges.assign(count, Padding::Edge::zero);
        };
    };
    EXPECT_EQ(message_of(axes(5), "fno"), "accepted");
    for (const std::string name : {"conv_fno", "ufno", "cnn"}) {
        EXPECT_EQ(message_of(axes(4), name), "accepted");
        EXPECT_THAT(message_of(axes(5), name), AllOf(HasSubstr("'modes'"), HasSubstr("fno"))) << name;
    }
}

TEST(NetworkConfig, TakesAxesWithoutModesWhereNothingHalvesThem) {
    const auto with = [](std::vector<std::int64_t> modes, bool strides) {
        return [=](NetworkConfig& c) {
            c.padding.assign(3, 8);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                c.padding[axis] = modes[axis] == 0 ? 0 : 8;
            }
            c.modes = modes;
            c.time_strides = strides;
        };
    };
    for (const std::string name : {"fno", "f_fno", "uno", "conv_fno"}) {
        EXPECT_EQ(message_of(with({4, 4, 0}, true), name), "accepted") << name;
        EXPECT_EQ(message_of(with({0, 4, 4}, true), name), "accepted") << name;
        EXPECT_EQ(message_of(with({0, 4, 0}, true), name), "accepted") << name;
        EXPECT_THAT(message_of(with({0, 0, 0}, true), name), HasSubstr("'modes'")) << name;
    }
    EXPECT_EQ(message_of(with({4, 4, 0}, false), "ufno"), "accepted");
    EXPECT_THAT(message_of(with({4, 4, 0}, true), "ufno"), HasSubstr("time_strides to false"));
    EXPECT_THAT(message_of(with({0, 4, 4}, true), "ufno"), HasSubstr("halves every axis of space"));
    EXPECT_THAT(message_of([](NetworkConfig& c) { c.modes = {4, 4, 0}; }, "fno"), HasSubstr("'padding'"));
    NetworkConfig plane = NetworkConfig::published("fno");
    plane.modes = {4, 4, 0};
    plane.padding = {3, 3, 0};
    EXPECT_EQ(plane.padded({10, 10, 1}).text(), "[16, 16, 1]");
}

TEST(NetworkConfig, AcceptsTheDefaultsForThreeAxesOfSpace) {
    for (const std::string& name : architecture_names()) {
        const NetworkConfig config = NetworkConfig::three_dimensional(name);
        EXPECT_NO_THROW(config.check()) << name;
        EXPECT_EQ(config.space_axes(), 3);
        EXPECT_EQ(config.padded({10, 60, 64, 23}).text(), "[16, 72, 72, 31]") << "time is not halved";
    }
}

TEST(NetworkConfig, FreesFnoFromTheMultipleOfEight) {
    EXPECT_EQ(message_of([](NetworkConfig& c) { c.padded_multiple = 1; }, "fno"), "accepted");
    EXPECT_EQ(message_of([](NetworkConfig& c) { c.padded_multiple = 1; }, "conv_fno"), "accepted");
}

TEST(NetworkConfig, PadsThenRoundsUp) {
    const NetworkConfig config = NetworkConfig::published("ufno");
    EXPECT_EQ(config.padded({96, 200, 24}).text(), "[104, 208, 32]");
    EXPECT_EQ(config.padded({17, 24, 1}).text(), "[32, 32, 16]");
    EXPECT_EQ(config.padding_of({17, 24, 1}).axes[1].inside, 24);
    EXPECT_EQ(config.padding_of({17, 24, 1}).axes[0].edge, Padding::Edge::zero);
}

}  // namespace
}  // namespace plumecast
