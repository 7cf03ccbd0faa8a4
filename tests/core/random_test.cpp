#include <cmath>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace plumecast {
namespace {

constexpr std::uint64_t draws = 20000;

TEST(RandomStream, GivesTheSameBitsForTheSameSeedNameAndIndex) {
    const RandomStream first(7, "weights");
    const RandomStream second(7, "weights");
    for (std::uint64_t index : {std::uint64_t{5}, std::uint64_t{0}, UINT64_MAX}) {
        EXPECT_EQ(first.bits(index), second.bits(index));
        EXPECT_EQ(first.normal(index), second.normal(index));
    }
}

// Computed by a separate implementation that reproduces the known answers of Random123 for philox4x32-10, with the
// FNV-1a hash of the name in the upper half of the counter. A change here changes every trained model.
TEST(RandomStream, ReproducesPublishedPhiloxWithTheNameInTheCounter) {
    EXPECT_EQ(RandomStream(0x0u, "").bits(0x0u), 0x1aa722e14ab98097u);
    EXPECT_EQ(RandomStream(0x2au, "blocks.3.unet.conv1.weight").bits(0x1u), 0xdf1890757d8c4cabu);
    EXPECT_EQ(RandomStream(0xa4093822299f31d0u, "shuffle").bits(0x100000005u), 0x52a95c5d9d364a39u);
}

TEST(RandomStream, DiffersBySeedNameAndIndex) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed : {0, 1, 2}) {
        for (const char* name : {"", "a", "b", "ab", "ba"}) {
            for (std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
                seen.insert(RandomStream(seed, name).bits(index));
            }
        }
    }
    EXPECT_EQ(seen.size(), 3u * 5u * 3u);
}

TEST(RandomStream, DrawsUniformNumbersFromZeroToOne) {
    const RandomStream stream(1, "uniform");
    double sum = 0.0;
    double squares = 0.0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        const double value = stream.uniform(i);
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
        squares += value * value;
    }
    const double mean = sum / draws;
    EXPECT_NEAR(mean, 0.5, 0.01);
    EXPECT_NEAR(squares / draws - mean * mean, 1.0 / 12.0, 0.002);
}

TEST(RandomStream, FillsEveryTenthOfTheUnitIntervalAlike) {
    const RandomStream stream(2, "tenths");
    double counts[10] = {};
    for (std::uint64_t i = 0; i < draws; ++i) {
        counts[static_cast<int>(stream.uniform(i) * 10.0)] += 1.0;
    }
    double chi_square = 0.0;
    for (double count : counts) {
        chi_square += (count - draws / 10.0) * (count - draws / 10.0) / (draws / 10.0);
    }
    EXPECT_LT(chi_square, 27.9);  // 99.9 % of a fair generator, nine degrees of freedom
}

TEST(RandomStream, DrawsStandardNormalNumbers) {
    const RandomStream stream(3, "normal");
    double moments[4] = {};
    for (std::uint64_t i = 0; i < draws; ++i) {
        const double value = stream.normal(i);
        ASSERT_TRUE(std::isfinite(value));
        for (int power = 0; power < 4; ++power) {
            moments[power] += std::pow(value, power + 1) / draws;
        }
    }
    EXPECT_NEAR(moments[0], 0.0, 0.03);
    EXPECT_NEAR(moments[1], 1.0, 0.05);
    EXPECT_NEAR(moments[2], 0.0, 0.1);
    EXPECT_NEAR(moments[3], 3.0, 0.25);
}

TEST(RandomStream, IsUncorrelatedBetweenNeighboursAndNames) {
    const RandomStream a(4, "a");
    const RandomStream b(4, "b");
    double neighbours = 0.0;
    double names = 0.0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        neighbours += a.normal(i) * a.normal(i + 1) / draws;
        names += a.normal(i) * b.normal(i) / draws;
    }
    EXPECT_NEAR(neighbours, 0.0, 0.03);
    EXPECT_NEAR(names, 0.0, 0.03);
}

}  // namespace
}  // namespace plumecast
