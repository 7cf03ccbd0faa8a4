#include "training/guided/correction_transfer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "data/physics/guided_batch.hpp"

namespace plumecast::testing {
namespace {

using Values = std::vector<float>;

std::vector<double> growing(double first, double last, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(count - 1)));
    }
    return values;
}

std::vector<double> even(double last, std::size_t cells) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= cells; ++i) {
        values.push_back(last * static_cast<double>(i) / static_cast<double>(cells));
    }
    return values;
}

GridAndTimes grid_of(std::size_t rows, std::size_t columns, std::size_t times) {
    return {growing(0.1, 1e4, columns + 1), {}, {}, even(60.0, rows), growing(1.0, 1e4, times)};
}

/// A field that is smooth in depth, log radius and log time.
Values smooth_field(const GridAndTimes& grid) {
    Values field;
    for (std::size_t row = 0; row < grid.rows(); ++row) {
        for (std::size_t column = 0; column < grid.columns(); ++column) {
            for (const double time : grid.times) {
                const double z = 0.5 * (grid.z_edges[row] + grid.z_edges[row + 1]),
                             r = 0.5 * (grid.r_edges[column] + grid.r_edges[column + 1]);
                field.push_back(
                    static_cast<float>(std::sin(z / 40.0) + std::cos(0.3 * std::log(r)) + 0.1 * std::log(time)));
            }
        }
    }
    return field;
}

Values all_active(const GridAndTimes& grid) { return Values(grid.rows() * grid.columns(), 1.0F); }

float largest_difference(const Values& a, const Values& b) {
    float largest = 0.0F;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

TEST(CorrectionTransferTest, LeavesAFieldOnItsOwnGridAsItIs) {
    const GridAndTimes grid = grid_of(6, 10, 5);
    const Values field = smooth_field(grid);
    EXPECT_EQ(CorrectionTransfer(grid, grid).brought(field, all_active(grid)), field);
}

TEST(CorrectionTransferTest, BringsASmoothFieldToAFinerGridAndBack) {
    const GridAndTimes coarse = grid_of(12, 24, 12), fine = grid_of(36, 72, 23);
    const Values field = smooth_field(coarse),
                 there = CorrectionTransfer(coarse, fine).brought(field, all_active(coarse));
    ASSERT_EQ(there.size(), 36U * 72U * 23U);
    EXPECT_LT(largest_difference(there, smooth_field(fine)), 0.1F);
    const Values back = CorrectionTransfer(fine, coarse).brought(there, all_active(fine));
    EXPECT_LT(largest_difference(back, field), 0.05F);
}

TEST(CorrectionTransferTest, TakesGridsOfOneRowOrColumn) {
    for (const auto& [from, to] : {std::pair{grid_of(1, 8, 3), grid_of(5, 3, 2)},
                                   {grid_of(5, 1, 3), grid_of(1, 4, 2)},
                                   {grid_of(4, 6, 2), grid_of(1, 1, 2)}}) {
        const Values constant(from.rows() * from.columns() * from.times.size(), 0.7F);
        for (const float value : CorrectionTransfer(from, to).brought(constant, all_active(from))) {
            EXPECT_FLOAT_EQ(value, 0.7F);
        }
    }
}

TEST(CorrectionTransferTest, CorrectsNothingBeyondTheOuterEdgeAndTheDepth) {
    const GridAndTimes from = grid_of(3, 4, 2);
    GridAndTimes to = from;
    to.r_edges.push_back(3e4);
    to.z_edges.push_back(100.0);
    const Values brought = CorrectionTransfer(from, to).brought(Values(24, 1.0F), all_active(from));
    for (std::size_t i = 0; i < brought.size(); ++i) {
        const std::size_t cell = i / 2;
        EXPECT_EQ(brought[i], cell % 5 == 4 || cell / 5 == 3 ? 0.0F : 1.0F) << i;
    }
}

TEST(CorrectionTransferTest, IsLinearInLogTimeFromZeroAndStaysAfterTheLast) {
    const GridAndTimes from{{1.0, 10.0}, {}, {}, {0.0, 1.0}, {10.0, 1000.0}};
    GridAndTimes to = from;
    to.times = {1.0, 10.0, 100.0, 1000.0, 5000.0};
    const Values brought = CorrectionTransfer(from, to).brought(Values{1.0F, 3.0F}, Values{1.0F});
    const Values expected{0.1F, 1.0F, 2.0F, 3.0F, 3.0F};
    for (std::size_t t = 0; t < 5; ++t) {
        EXPECT_NEAR(brought[t], expected[t], 1e-6F);
    }
}

TEST(CorrectionTransferTest, ContinuesActiveCellsIntoInactiveOnes) {
    const GridAndTimes from = grid_of(3, 2, 1), to = grid_of(9, 2, 1);
    const Values field{1, 5, 2, 6, 99, 99}, active{1, 1, 1, 1, 0, 0};
    const Values brought = CorrectionTransfer(from, to).brought(field, active);
    EXPECT_FLOAT_EQ(brought.front(), 1.0F);
    EXPECT_FLOAT_EQ(brought[8 * 2], 2.0F);
    EXPECT_FLOAT_EQ(brought[8 * 2 + 1], 6.0F);
}

TEST(CorrectionTransferTest, FindsThePlumeNearAsFarAsOnItsOwnGrid) {
    const GridAndTimes grid = grid_of(5, 9, 2);
    std::mt19937 random(3);
    Values saturation(90, 0.0F), stored(90);
    for (int k = 0; k < 6; ++k) {
        saturation[random() % 90] = 0.5F;
    }
    for (std::size_t cell = 0; cell < 45; ++cell) {
        for (std::size_t t = 0; t < 2; ++t) {
            stored[t * 45 + cell] = saturation[cell * 2 + t];
        }
    }
    for (const int reach : {0, 1, 3}) {
        const Values found = CorrectionTransfer(grid, grid).near_plume(saturation, 0.1F, reach);
        const Values expected = plumecast::near_plume(stored, {2, 5, 9}, 0.1F, reach);
        for (std::size_t i = 0; i < 90; ++i) {
            EXPECT_EQ(found[i], expected[i % 2 * 45 + i / 2]) << reach << " " << i;
        }
    }
}

TEST(CorrectionTransferTest, ReachesAsFarInMetresOnAFinerGrid) {
    const GridAndTimes coarse = grid_of(1, 10, 1), fine = grid_of(1, 40, 1);
    Values saturation(40, 0.0F);
    saturation[19] = 1.0F;  // the end of the fifth coarse cell
    const Values found = CorrectionTransfer(coarse, fine).near_plume(saturation, 0.1F, 1);
    for (std::size_t cell = 0; cell < 40; ++cell) {
        EXPECT_EQ(found[cell], cell >= 15 && cell < 24 ? 1.0F : 0.0F) << cell;
    }
}

}  // namespace
}  // namespace plumecast::testing
