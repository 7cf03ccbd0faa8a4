#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <plumecast/backend/cuda.hpp>

namespace plumecast::testing {
namespace {

TEST(CudaObstacle, FollowsTheGrammarOfErrorsAndIsWhatIsThrown) {
    const std::string obstacle = cuda_obstacle();
    if (obstacle.empty()) {
        GTEST_SKIP() << "a CUDA device can be used, nothing is in its way";
    }
    EXPECT_THAT(obstacle, ::testing::MatchesRegex(".+ \\(.+\\); .+--device cpu.*"));
    try {
        make_cuda_backend();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), obstacle);
    }
}

TEST(CudaObstacle, NamesADeviceThatDoesNotExist) {
    EXPECT_FALSE(cuda_obstacle(1000).empty());
    EXPECT_FALSE(cuda_obstacle(-1).empty());
    EXPECT_THROW(make_cuda_backend({.device = 1000}), Error);
}

}  // namespace
}  // namespace plumecast::testing
