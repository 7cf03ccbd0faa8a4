#include "inverse/optimization/search/sobol.hpp"

#include <set>

#include <gtest/gtest.h>

namespace plumecast {
namespace {

TEST(Sobol, BeginsWithThePublishedPoints) {
    const auto points = sobol_points(3, 3);
    EXPECT_EQ(points, (std::vector<std::vector<double>>{{0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}}));
}

TEST(Sobol, PutsOnePointIntoEachPartOfEveryAxis) {
    const auto points = sobol_points(63, most_sobol_dimensions);
    for (std::size_t d = 0; d < most_sobol_dimensions; ++d) {
        std::set<int> parts{0};  // that of the corner, which is left out
        for (const auto& point : points) {
            parts.insert(static_cast<int>(64.0 * point[d]));
        }
        EXPECT_EQ(parts.size(), 64) << d;
    }
}

TEST(Sobol, PutsOnePointIntoEachSquareOfTheFirstTwoAxes) {
    std::set<std::pair<int, int>> squares{{0, 0}};
    for (const auto& point : sobol_points(63, 2)) {
        squares.emplace(static_cast<int>(8.0 * point[0]), static_cast<int>(8.0 * point[1]));
    }
    EXPECT_EQ(squares.size(), 64);
}

TEST(Sobol, RepeatsNoPointInAnyPairOfAxes) {
    const auto points = sobol_points(255, most_sobol_dimensions);
    for (std::size_t a = 0; a < most_sobol_dimensions; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            std::set<std::pair<double, double>> seen;
            for (const auto& point : points) {
                seen.emplace(point[a], point[b]);
            }
            EXPECT_EQ(seen.size(), 255);
            int same = 0;
            for (const auto& point : points) {
                same += point[a] == point[b] ? 1 : 0;
            }
            EXPECT_LT(same, 128) << a << " " << b;
        }
    }
}

}  // namespace
}  // namespace plumecast
