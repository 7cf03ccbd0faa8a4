#include "inverse/inversion/forward_model.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

/// Answers about two cases of which one could not be computed.
PredictedObservations block_without(std::int64_t place, const std::string& why) {
    PredictedObservations block;
    block.values = Eigen::MatrixXd::Zero(1, 2);
    block.failed.emplace(place, why);
    return block;
}

TEST(PredictedObservations, NameTheFirstFailureByTheNumberOfTheMember) {
    PredictedObservations all;
    all.values = Eigen::MatrixXd::Zero(1, 2);
    all.append(block_without(1, "members of the ensemble: case 1: it is too warm; lower it"));
    all.append(block_without(0, "case 0: it is too cold; warm it"));
    ASSERT_EQ(all.values.cols(), 6);
    ASSERT_EQ(all.failed.size(), 2U);
    EXPECT_EQ(all.failed.at(4), "it is too cold; warm it");
    const std::vector<std::int64_t> numbers{0, 2, 3, 5, 7, 8};  // in the prior, some of which have left
    EXPECT_EQ(all.first_failure(numbers), "member 5: it is too warm; lower it");
}

}  // namespace
}  // namespace plumecast
