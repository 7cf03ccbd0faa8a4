#include <gtest/gtest.h>

#include <plumecast/architectures/network.hpp>

namespace plumecast {
namespace {

std::int64_t published_count(const std::string& architecture) {
    const auto backend = make_planning_backend();
    return std::make_unique<Network>(*backend, NetworkConfig::published(architecture), 0)->parameters().count();
}

// Wen et al. 2022 at width 36, modes 10 x 10 x 10 and 12 inputs.
TEST(ParameterCount, OfFnoIsThePublishedOne) { EXPECT_EQ(published_count("fno"), 31'117'325); }
TEST(ParameterCount, OfConvFnoIsThePublishedOne) { EXPECT_EQ(published_count("conv_fno"), 31'222'409); }
TEST(ParameterCount, OfUfnoIsThePublishedOne) { EXPECT_EQ(published_count("ufno"), 33'097'829); }

// An FNO of PyTorch for Darcy's equation: four blocks of width 32 with 12 x 12 modes of a plane, three channels.
TEST(ParameterCount, OfAPlaneWithoutTimeIsThatOfOtherAuthors) {
    NetworkConfig config = NetworkConfig::published("fno");
    config.channels = 3;
    config.width = 32;
    config.fourier_blocks = 4;
    config.modes = {12, 12, 0};
    config.padding = {8, 8, 0};
    const auto backend = make_planning_backend();
    const std::int64_t spectral = 4 * 2 * 12 * 12 * 32 * 32, linear = 4 * (32 * 32 + 32);
    const std::int64_t rest = 3 * 32 + 32 + 32 * 128 + 128 + 128 + 1;
    EXPECT_EQ(std::make_unique<Network>(*backend, config, 0)->parameters().count(), spectral + linear + rest);
}

// CCSNet counts 33,316,481 numbers, among them 2 x 5,312 running statistics of batch norm. Ours are buffers, and where
// its first convolution reads 1 channel ours reads the 32 of a lift of 12 * 32 + 32 numbers.
TEST(ParameterCount, OfCnnDiffersFromCcsnetByLiftAndFirstConvolution) {
    constexpr std::int64_t running_statistics = 2 * 5'312;
    constexpr std::int64_t lift = 12 * 32 + 32, first_convolution = 27 * 32 * (32 - 1);
    static_assert(33'316'481 - running_statistics + lift + first_convolution == 33'333'057);
    const auto backend = make_planning_backend();
    const auto network = std::make_unique<Network>(*backend, NetworkConfig::published("cnn"), 0);
    EXPECT_EQ(network->parameters().count(), 33'333'057);
    std::int64_t buffers = 0;
    for (const Parameter& parameter : network->parameters().all()) {
        buffers += parameter.trainable ? 0 : parameter.weight.shape().count();
    }
    EXPECT_EQ(buffers, running_statistics);
}

}  // namespace
}  // namespace plumecast
