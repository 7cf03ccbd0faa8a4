#include "inference/guided/correction_transfer.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(CorrectionTransferTest, KeepsAPlaneOverARotatedBox) {
    GridAndTimes from{{}, even(1000.0, 10), even(800.0, 6), even(20.0, 3), {1.0}}, to = from;
    to.x_edges = even(500.0, 7);
    to.y_edges = even(300.0, 5);
    from.place.rotation = 0.0;
    for (const double degrees : {30.0, 90.0, 290.0}) {
        to.place = {degrees, {{500.0, 400.0}}};
        from.place.origin = {300.0, 300.0};
        const GridAndTimes seen = aligned_with(to, from);
        Values field;
        for (std::size_t cell = 0; cell < 180; ++cell) {
            const double x = 50.0 + 100.0 * static_cast<double>(cell % 10),
                         y = 800.0 / 6.0 * (0.5 + static_cast<double>(cell / 10 % 6));
            field.push_back(static_cast<float>(1.0 + 2e-3 * x - 3e-3 * y));
        }
        const Values brought = CorrectionTransfer(from, seen).brought(field, Values(180, 1.0F));
        std::size_t inside = 0;
        for (std::size_t cell = 0; cell < brought.size(); ++cell) {
            const double x = 500.0 / 7.0 * (0.5 + static_cast<double>(cell % 7)),
                         y = 60.0 * (0.5 + static_cast<double>(cell / 7 % 5));
            const auto [east, north] = to.place.on_map(x, y);
            const double own_x = east - 300.0, own_y = north - 300.0;
            if (own_x > 50.0 && own_x < 950.0 && own_y > 67.0 && own_y < 733.0) {  // between centres
                EXPECT_NEAR(brought[cell], 1.0 + 2e-3 * own_x - 3e-3 * own_y, 1e-5) << degrees << " " << cell;
                ++inside;
            } else if (own_x < 0.0 || own_x > 1000.0 || own_y < 0.0 || own_y > 800.0) {
                EXPECT_EQ(brought[cell], 0.0F) << degrees << " " << cell;
            }
        }
        EXPECT_GT(inside, 20U);
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

TEST(CorrectionTransferTest, KeepsTheVolumeAtTimesOfTheNetworkAndInterpolatesItBetween) {
    const GridAndTimes from{growing(0.1, 1e4, 20), {}, {}, even(60.0, 7), {10.0, 1000.0}};
    const GridAndTimes to{growing(0.1, 1e4, 43), {}, {}, even(60.0, 16), {10.0, 100.0}};
    const Values active = all_active(to), porosity(active.size(), 0.2F);
    Values plume;
    for (std::size_t cell = 0; cell < 7 * 19; ++cell) {
        plume.push_back(cell % 19 < 6 ? 0.4F : 0.0F);
        plume.push_back(cell % 19 < 12 ? 0.6F : 0.0F);
    }
    const auto volume = [](const GridAndTimes& grid, const Values& field, std::size_t t) {
        double sum = 0.0;
        for (std::size_t cell = 0; cell < grid.rows() * grid.columns(); ++cell) {
            const double outer = grid.r_edges[cell % grid.columns() + 1], inner = grid.r_edges[cell % grid.columns()];
            const std::size_t row = cell / grid.columns();
            sum += (outer * outer - inner * inner) * (grid.z_edges[row + 1] - grid.z_edges[row]) *
                   static_cast<double>(field[cell * 2 + t]);
        }
        return sum;
    };
    const Values brought = CorrectionTransfer(from, to).brought_by_volume(plume, all_active(from), {active, porosity});
    const double early = volume(from, plume, 0), late = volume(from, plume, 1);
    EXPECT_NEAR(volume(to, brought, 0) / early, 1.0, 1e-6);
    EXPECT_NEAR(volume(to, brought, 1) / (0.5 * (early + late)), 1.0, 1e-6);
}

/// <brought(x), w> = <x, taken_back(w)>.
TEST(CorrectionTransferTest, TakesWeightsBackAsTheAdjoint) {
    const GridAndTimes own = grid_of(3, 4, 5);
    GridAndTimes other = own;
    other.times = {0.2, 1.0, 3.0, 700.0, 10000.0, 20000.0};
    const CorrectionTransfer transfer(own, other);
    const Values field = smooth_field(own), brought = transfer.brought(field, all_active(own));
    Values weights(2 * brought.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<float>(std::sin(static_cast<double>(7 * i)));
    }
    const Values back = transfer.taken_back(weights, 2);
    ASSERT_EQ(back.size(), 2 * field.size());
    for (std::size_t f = 0; f < 2; ++f) {
        double there = 0.0, here = 0.0;
        for (std::size_t i = 0; i < brought.size(); ++i) {
            there += static_cast<double>(brought[i]) * static_cast<double>(weights[2 * i + f]);
        }
        for (std::size_t i = 0; i < field.size(); ++i) {
            here += static_cast<double>(field[i]) * static_cast<double>(back[2 * i + f]);
        }
        EXPECT_NEAR(here, there, 1e-4 * std::abs(there));
    }
}

}  // namespace
}  // namespace plumecast::testing
