#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "support/blocks/host_block.hpp"

namespace plumecast::testing {
namespace {

using Words = HostWarp::PerLane<std::array<std::uint32_t, 4>>;

/// A warp whose shared memory holds the numbers 0, 1, 2, ... of 16 bits.
class Matrices : public ::testing::Test {
   protected:
    Matrices() {
        for (int i = 0; i < 1024; ++i) {
            shared_.store(2 * i, static_cast<std::uint16_t>(i));
        }
    }
    HostWarp& warp() { return warp_; }
    const BlockCounts& counts() const { return counts_; }

   private:
    BlockCounts counts_;
    SharedMemory shared_{2048, counts_};
    HostWarp warp_{0, shared_};
};

TEST_F(Matrices, GoToLanesByRowsAndPairsOfColumns) {
    Words words;
    warp().load_matrices(words, [](int lane) { return lane * 16; });  // row r of matrix j begins with 64 j + 8 r
    EXPECT_EQ(words[0], (std::array<std::uint32_t, 4>{0x00010000u, 0x00410040u, 0x00810080u, 0x00c100c0u}));
    EXPECT_EQ(words[30][0], (7u * 8 + 4) | (7u * 8 + 5) << 16);
    warp().load_matrices_transposed(words, [](int lane) { return lane * 16; });
    EXPECT_EQ(words[0][0], 0u | 8u << 16);
    EXPECT_EQ(words[30][3], (192u + 4 * 8 + 7) | (192u + 5 * 8 + 7) << 16);
}

TEST_F(Matrices, CollideWhereRowsShareBanks) {
    Words words;
    warp().load_matrices(words, [](int lane) { return lane % 8 * 128 + lane / 8 * 16; });
    EXPECT_EQ(counts().wavefronts, 4 * 8);
    EXPECT_EQ(counts().least_wavefronts, 4);
    warp().load_matrices(words, [](int lane) { return lane % 8 * 144; });
    EXPECT_EQ(counts().wavefronts, 4 * 8 + 4);
}

/// What a product of one number at a row and depth by one at a depth and column adds to all 16 x 8 sums.
std::vector<std::array<int, 2>> nonzero(const LaneSums& sums) {
    std::vector<std::array<int, 2>> found;
    for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < 4; ++i) {
            if (sums[static_cast<std::size_t>(lane)][static_cast<std::size_t>(i)] != 0.0f) {
                found.push_back({lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2});
            }
        }
    }
    return found;
}

TEST(TensorCores, MultiplyWhatLiesAtTheSameDepth) {
    // bfloat16 1 is 0x3f80. Row 3 + 8, depth 2 + 8: lane 13, register 3, lower half; column 6, depth 10: lane 25.
    LaneRows a{};
    LaneColumns b{};
    LaneSums sums{};
    a[13][3] = 0x3f80u;
    b[25][1] = 0x3f80u;
    multiply_bfloat16_lanes(sums, a, b);
    EXPECT_EQ(nonzero(sums), (std::vector<std::array<int, 2>>{{11, 6}}));
    // TF32: row 3 + 8, depth 1 + 4: lane 13, register 3; column 6, depth 5: lane 25, register 1.
    sums = {};
    a[13][3] = std::bit_cast<std::uint32_t>(2.0f);
    b[25][1] = std::bit_cast<std::uint32_t>(3.0f + 0x1p-13f);
    multiply_ten_bit_lanes(sums, a, b);
    EXPECT_EQ(nonzero(sums), (std::vector<std::array<int, 2>>{{11, 6}}));
    EXPECT_EQ(sums[15][2], 6.0f);
    b[24][1] = b[25][1];
    multiply_ten_bit_lanes(sums, a, b);
    EXPECT_EQ(sums[15][2], 12.0f);
}

TEST(TensorCores, CutSumsOffInsteadOfRoundingThem) {
    LaneRows a{};
    LaneColumns b{};
    LaneSums sums{};
    sums[0][0] = 1.0f;
    a[0][0] = std::bit_cast<std::uint32_t>(0x1.8p-24f);
    b[0][0] = std::bit_cast<std::uint32_t>(1.0f);
    multiply_ten_bit_lanes(sums, a, b);
    EXPECT_EQ(sums[0][0], 1.0f);
}

TEST(HostBlock, CopiesNoEarlierThanItIsWaitedFor) {
    BlockCounts counts;
    HostBlock block(0, 32, 64, counts);
    const std::array<std::uint32_t, 2> words{7, 8};
    block.copy(0, reinterpret_cast<const char*>(words.data()), 4);
    block.commit();
    block.copy(4, reinterpret_cast<const char*>(&words[1]), 4);
    block.commit();
    EXPECT_NE(block.load<std::uint32_t>(0), 7u);
    block.wait<1>();
    EXPECT_EQ(block.load<std::uint32_t>(0), 7u);
    EXPECT_NE(block.load<std::uint32_t>(4), 8u);
    block.wait<0>();
    EXPECT_EQ(block.load<std::uint32_t>(4), 8u);
    EXPECT_EQ(counts.read, 8);
}

}  // namespace
}  // namespace plumecast::testing
