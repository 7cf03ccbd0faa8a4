#include "inference/guided/volume_average.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast::testing {
namespace {

using Values = std::vector<float>;

const GridAndTimes coarse{{0.1, 5.0, 30.0, 100.0, 1000.0}, {}, {}, {0.0, 4.0, 10.0, 20.0}, {1.0, 2.0}};
const GridAndTimes fine{
    {0.1, 1.0, 5.0, 8.0, 20.0, 33.0, 100.0, 400.0, 1000.0}, {}, {}, {0.0, 3.0, 5.0, 9.0, 14.0, 20.0}, {1.0, 2.0}};
const GridAndTimes box{{}, {0.0, 100.0, 250.0, 400.0}, {0.0, 150.0, 300.0}, {0.0, 4.0, 10.0}, {1.0, 2.0}};
const GridAndTimes other_box{
    {}, {0.0, 60.0, 120.0, 300.0, 400.0}, {0.0, 100.0, 210.0, 300.0}, {0.0, 3.0, 6.0, 10.0}, {1.0, 2.0}};

std::vector<double> volumes(const GridAndTimes& grid) {
    std::vector<double> result;
    const std::vector<double> lines = grid.is_radial() ? std::vector<double>{0.0, 1.0} : grid.y_edges;
    for (std::size_t z = 0; z + 1 < grid.z_edges.size(); ++z) {
        for (std::size_t y = 0; y + 1 < lines.size(); ++y) {
            for (std::size_t x = 0; x < grid.columns(); ++x) {
                const double area = grid.is_radial()
                                        ? M_PI * (std::pow(grid.r_edges[x + 1], 2) - std::pow(grid.r_edges[x], 2))
                                        : grid.x_edges[x + 1] - grid.x_edges[x];
                result.push_back(area * (lines[y + 1] - lines[y]) * (grid.z_edges[z + 1] - grid.z_edges[z]));
            }
        }
    }
    return result;
}

/// Volume that a cell of `from` shares with one of `to` [m3].
double overlap(const GridAndTimes& from, std::size_t i, const GridAndTimes& to, std::size_t j) {
    const auto along = [](const std::vector<double>& a, std::size_t m, const std::vector<double>& b, std::size_t n) {
        return std::max(0.0, std::min(a[m + 1], b[n + 1]) - std::max(a[m], b[n]));
    };
    const auto areas = [](const GridAndTimes& grid) {
        std::vector<double> edges = grid.is_radial() ? grid.r_edges : grid.x_edges;
        for (double& edge : edges) {
            edge = grid.is_radial() ? M_PI * edge * edge : edge;
        }
        return edges;
    };
    const auto lines = [](const GridAndTimes& grid) {
        return grid.is_radial() ? std::vector<double>{0.0, 1.0} : grid.y_edges;
    };
    const std::size_t ny = lines(from).size() - 1, my = lines(to).size() - 1;
    return along(from.z_edges, i / from.columns() / ny, to.z_edges, j / to.columns() / my) *
           along(lines(from), i / from.columns() % ny, lines(to), j / to.columns() % my) *
           along(areas(from), i % from.columns(), areas(to), j % to.columns());
}

Values uneven(std::size_t count, unsigned seed, float low, float high) {
    std::mt19937 random(seed);
    Values values(count);
    for (float& value : values) {
        value = low + (high - low) * static_cast<float>(random() % 1000) / 1000.0F;
    }
    return values;
}

TEST(VolumeAverageTest, KeepsWhatThePoresHoldOnEveryKindOfGrid) {
    for (const auto& [from, to] : {std::tie(coarse, fine), std::tie(fine, coarse), std::tie(box, other_box)}) {
        const std::vector<double> known = volumes(from), other = volumes(to);
        const Values active(known.size(), 1.0F), users(other.size(), 1.0F),
            porosity = uneven(other.size(), 1, 0.1F, 0.3F);
        const Values field = uneven(2 * known.size(), 2, 0.0F, 0.8F);
        const Values guessed = uneven(2 * other.size(), 3, 0.0F, 1.0F);
        std::vector<double> values(guessed.begin(), guessed.end());
        VolumeAverage(from, to).apply(field, active, {users, porosity}, values);
        for (std::size_t t = 0; t < 2; ++t) {
            double before = 0.0, after = 0.0;
            for (std::size_t i = 0; i < known.size(); ++i) {
                for (std::size_t j = 0; j < other.size(); ++j) {
                    before += static_cast<double>(field[2 * i + t] * porosity[j]) * overlap(from, i, to, j);
                }
            }
            for (std::size_t j = 0; j < other.size(); ++j) {
                after += values[2 * j + t] * static_cast<double>(porosity[j]) * other[j];
            }
            EXPECT_NEAR(after / before, 1.0, 1e-6);
        }
    }
}

TEST(VolumeAverageTest, KeepsWhatThePoresHoldUnderAnyAngle) {
    // A box of 320 m by 200 m within one of 400 m by 300 m, or of 1000 m by 1000 m.
    GridAndTimes users{
        {}, {0.0, 60.0, 120.0, 300.0, 320.0}, {0.0, 100.0, 160.0, 200.0}, {0.0, 3.0, 6.0, 10.0}, {1.0, 2.0}};
    const GridAndTimes wide{{}, {0.0, 100.0, 250.0, 1000.0}, {0.0, 150.0, 1000.0}, {0.0, 4.0, 10.0}, {1.0, 2.0}};
    const std::vector<double> other = volumes(users);
    const Values active(12, 1.0F), all(other.size(), 1.0F), porosity = uneven(other.size(), 1, 0.1F, 0.3F);
    const Values field = uneven(24, 2, 0.0F, 0.8F);
    for (const double degrees : {5.0, 30.0, 90.0, 210.0}) {
        GridAndTimes from = wide;
        from.place.rotation = 0.0;
        users.place.rotation = degrees;
        const GridAndTimes to = aligned_with(users, from);
        const Values guessed = uneven(2 * other.size(), 3, 0.0F, 1.0F);
        std::vector<double> values(guessed.begin(), guessed.end());
        VolumeAverage(from, to).apply(field, active, {all, porosity}, values);
        const Turn turn = turn_between(to.place, from.place);
        for (std::size_t t = 0; t < 2; ++t) {
            double before = 0.0, after = 0.0;
            for (std::size_t j = 0; j < other.size(); ++j) {
                after += values[2 * j + t] * static_cast<double>(porosity[j]) * other[j];
                const std::size_t row = j / 12, line = j / 4 % 3, column = j % 4;
                for (const AreaShare& share :
                     shared_areas(PlanView::of(from), PlanView::of(to).cell(line, column), turn)) {
                    for (std::size_t z = 0; z < 2; ++z) {
                        const double height = std::max(0.0, std::min(to.z_edges[row + 1], from.z_edges[z + 1]) -
                                                                std::max(to.z_edges[row], from.z_edges[z]));
                        before += static_cast<double>(field[2 * (z * 6 + share.column) + t] * porosity[j]) *
                                  share.area() * height;
                    }
                }
            }
            EXPECT_NEAR(after / before, 1.0, 1e-6) << degrees;
        }
    }
}

TEST(VolumeAverageTest, LeavesNoTracesBeyondTheFrontAndNoNewExtremes) {
    const Values active(12, 1.0F), users(40, 1.0F), porosity(40, 0.2F);
    Values field(24, 0.0F);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t t = 0; t < 2; ++t) {
            field[(row * 4) * 2 + t] = 0.8F;
            field[(row * 4 + 1) * 2 + t] = 0.3F;
        }
    }
    std::vector<double> values(80, 0.1);  // an interpolation that smears
    for (std::size_t i = 0; i < 80; ++i) {
        values[i] += 0.5 / (1.0 + static_cast<double>(i / 2 % 8));
    }
    VolumeAverage(coarse, fine).apply(field, active, {users, porosity}, values);
    for (std::size_t i = 0; i < 80; ++i) {
        EXPECT_GE(values[i], 0.0);
        EXPECT_LE(values[i], 0.8 + 1e-6);
        if (i / 2 % 8 >= 5) {  // from 33 m on, where the cells hold 0
            EXPECT_EQ(values[i], 0.0) << i;
        }
    }
}

TEST(VolumeAverageTest, PoresOfCellsThatAreNotActiveBelongToTheNearestActiveOne) {
    const GridAndTimes from{{1.0, 10.0}, {}, {}, {0.0, 4.0, 10.0}, {1.0}},
        to{{1.0, 10.0}, {}, {}, {0.0, 6.0, 10.0}, {1.0}};
    const Values active{1.0F, 0.0F}, users{1.0F, 0.0F}, porosity{0.2F, 0.2F};
    std::vector<double> values{0.5, 0.5};
    VolumeAverage(from, to).apply(Values{0.4F, 77.0F}, active, {users, porosity}, values);
    EXPECT_NEAR(values[0], 0.4, 1e-6);
    EXPECT_EQ(values[1], 0.0);
}

}  // namespace
}  // namespace plumecast::testing
