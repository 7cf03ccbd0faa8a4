#include <algorithm>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/layout.hpp>

#include "core/random.hpp"

namespace plumecast {
namespace {

TEST(BalancedCuts, DifferByOneCellAtMost) {
    EXPECT_EQ(balanced_partition(10, 4), (AxisPartition{0, 3, 6, 8, 10}));
    EXPECT_EQ(balanced_partition(2, 4), (AxisPartition{0, 1, 2, 2, 2}));
    EXPECT_EQ(balanced_partition(0, 2), (AxisPartition{0, 0, 0}));
    EXPECT_THROW(balanced_partition(4, 0), InvalidInput);
}

TEST(CutLayout, GivesEveryCellOneOwner) {
    const Layout layout = partition_layout({3, 7, 2}, 1, balanced_partition(7, 3));
    ASSERT_EQ(layout.size(), 3U);
    EXPECT_EQ(layout[0][0], Box({0, 0, 0}, {3, 3, 2}));
    EXPECT_EQ(layout[2][0], Box({0, 5, 0}, {3, 7, 2}));
}

TEST(HaloLayout, GrowsAndStaysInside) {
    const Layout halo = halo_layout(partition_layout({7, 2}, 0, {0, 3, 3, 7}), {7, 2}, 0, 1, 2);
    EXPECT_EQ(halo[0][0], Box({0, 0}, {5, 2}));
    EXPECT_TRUE(halo[1][0].empty());
    EXPECT_EQ(halo[2][0], Box({2, 0}, {7, 2}));
}

/// Cells [low, high) of the input that outputs [begin, end) of a convolution need.
struct Needed {
    std::int64_t low, high;
};

Needed of_conv(std::int64_t begin, std::int64_t end, std::int64_t kernel, std::int64_t stride) {
    return {stride * begin - 1, stride * (end - 1) - 1 + kernel};
}

/// The transposed convolution of kernel 4, stride 2, padding 1.
Needed of_transposed(std::int64_t begin, std::int64_t end) {
    const std::int64_t first = begin + 1 - 3;
    return {first <= 0 ? first / 2 : (first + 1) / 2, (end - 1 + 1) / 2 + 1};
}

/// Cells missing on either side, after clipping to the axis.
std::int64_t halo_of(Needed needed, std::int64_t low, std::int64_t high, std::int64_t cells) {
    const std::int64_t left = low - std::max<std::int64_t>(needed.low, 0);
    const std::int64_t right = std::min(needed.high, cells) - high;
    return std::max({left, right, std::int64_t{0}});
}

// Published U-Net levels: coarse cells belong to whoever holds their centre; then one neighbouring cell is enough.
TEST(CoarseCuts, NeedOneNeighbourForEveryConvolutionOfAUNet) {
    const RandomStream random(7, "cuts");
    std::uint64_t drawn = 0;
    int checked = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const auto fine_cells = static_cast<std::int64_t>(8 + random.bits(drawn++) % 200);
        AxisPartition fine = {0, fine_cells};
        for (std::uint64_t part = random.bits(drawn++) % 9; part > 0; --part) {
            fine.push_back(
                static_cast<std::int64_t>(random.bits(drawn++) % static_cast<std::uint64_t>(fine_cells + 1)));
        }
        std::sort(fine.begin(), fine.end());
        const AxisPartition coarse = coarse_partition(fine);
        const std::int64_t coarse_cells = coarse.back();
        for (std::size_t p = 0; p + 1 < fine.size(); ++p) {
            const std::int64_t f0 = fine[p], f1 = fine[p + 1], c0 = coarse[p], c1 = coarse[p + 1];
            if (f0 < f1) {
                EXPECT_LE(halo_of(of_conv(f0, f1, 3, 1), f0, f1, fine_cells), 1);
                EXPECT_LE(halo_of(of_transposed(f0, f1), c0, c1, coarse_cells), 1) << f0 << ".." << f1;
            }
            if (c0 < c1) {
                EXPECT_LE(halo_of(of_conv(c0, c1, 3, 2), f0, f1, fine_cells), 1) << c0 << ".." << c1;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 5000);
}

}  // namespace
}  // namespace plumecast
