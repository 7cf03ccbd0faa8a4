#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <plumecast/backend/cuda.hpp>

#include "backend/cuda/obstacle.hpp"

namespace plumecast::testing {
namespace {

TEST(CudaObstacle, FollowsTheGrammarOfErrorsAndIsWhatIsThrown) {
    const std::string obstacle = cuda_obstacle();
    if (obstacle.empty()) {
        GTEST_SKIP() << "a CUDA device can be used, nothing is in its way";
    }
    EXPECT_THAT(obstacle, ::testing::MatchesRegex(".+ \\(.+\\); .+CPU.*"));
    try {
        make_cuda_backend();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), obstacle);
    }
}

/// A machine on which device 0 can be used.
cuda::DeviceFacts good() {
    cuda::DeviceFacts facts;
    facts.runtime = 13000;
    facts.driver = 13010;
    facts.devices = 2;
    facts.capability = 90;
    return facts;
}

void expect_obstacle(const cuda::DeviceFacts& facts, int device, const std::string& why) {
    const std::string found = cuda::obstacle(facts, device);
    EXPECT_THAT(found, ::testing::HasSubstr(why));
    EXPECT_THAT(found, ::testing::MatchesRegex(".+ \\(.+\\); .+CPU.*")) << why;
}

TEST(CudaObstacle, IsNoneWhereEverythingIsThere) {
    EXPECT_EQ(cuda::obstacle(good(), 0), "");
    cuda::DeviceFacts oldest = good();
    oldest.capability = 80;
    oldest.driver = 13000;
    EXPECT_EQ(cuda::obstacle(oldest, 1), "");
}

TEST(CudaObstacle, NamesWhatIsMissingAndTheRemedy) {
    cuda::DeviceFacts facts = good();
    facts.driver.reset();
    expect_obstacle(facts, 0, "no NVIDIA driver was found");
    facts.driver = 12080;
    expect_obstacle(facts, 0, "it supports CUDA 12.8, this build needs 13.0");
    facts = good();
    facts.devices = 0;
    expect_obstacle(facts, 0, "none was found");
    facts.counting_failure = "system not yet initialized";
    expect_obstacle(facts, 0, "system not yet initialized");
    expect_obstacle(good(), 2, "no CUDA device 2 (there are 2, counted from 0)");
    expect_obstacle(good(), -1, "no CUDA device -1");
    facts = good();
    facts.capability = 75;
    expect_obstacle(facts, 0, "compute capability 7.5, at least 8.0 is needed");
    facts.capability.reset();
    expect_obstacle(facts, 1, "CUDA device 1 does not answer");
    facts = good();
    facts.missing_library =
        "the CUDA library libcudnn.so.9 cannot be loaded (no such file); install it, or use the CPU";
    expect_obstacle(facts, 0, "libcudnn.so.9");
}

TEST(CudaObstacle, NamesADeviceThatDoesNotExist) {
    EXPECT_FALSE(cuda_obstacle(1000).empty());
    EXPECT_FALSE(cuda_obstacle(-1).empty());
    EXPECT_THROW(make_cuda_backend({.device = 1000}), Error);
}

}  // namespace
}  // namespace plumecast::testing
