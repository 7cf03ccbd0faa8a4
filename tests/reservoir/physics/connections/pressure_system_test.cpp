#include "reservoir/physics/connections/pressure_system.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace plumecast::connections {
namespace {

/// Residual of x over the right side, both in the largest of their values.
double residual(const PressureSystem& system, const std::vector<PressureSystem::Link>& links,
                const std::vector<double>& x) {
    std::vector<double> left = system.right;
    for (std::size_t i = 0; i < x.size(); ++i) {
        left[i] -= system.own[i] * x[i];
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double flow = system.conductance[i] * (x[links[i].first] - x[links[i].second]);
        left[links[i].first] -= flow;
        left[links[i].second] += flow;
    }
    double worst = 0.0, right = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, std::abs(left[i]));
        right = std::max(right, std::abs(system.right[i]));
    }
    return worst / right;
}

/// Columns of `rows` cells on a square of `side` columns.
std::vector<PressureSystem::Link> box_links(std::size_t side, std::size_t rows) {
    std::vector<PressureSystem::Link> links;
    const auto cell = [&](std::size_t y, std::size_t x, std::size_t z) { return (y * side + x) * rows + z; };
    for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
            for (std::size_t z = 0; z < rows; ++z) {
                if (z + 1 < rows) {
                    links.emplace_back(cell(y, x, z), cell(y, x, z + 1));
                }
                if (x + 1 < side) {
                    links.emplace_back(cell(y, x, z), cell(y, x + 1, z));
                }
                if (y + 1 < side) {
                    links.emplace_back(cell(y, x, z), cell(y + 1, x, z));
                }
            }
        }
    }
    return links;
}

std::vector<std::size_t> column_groups(std::size_t columns, std::size_t rows) {
    std::vector<std::size_t> groups;
    for (std::size_t column = 0; column < columns; ++column) {
        groups.insert(groups.end(), rows, column);
    }
    return groups;
}

TEST(PressureSystem, ConvergesInFewIterationsWhereConductancesDifferByAMillion) {
    constexpr std::size_t side = 20, rows = 10;
    const auto links = box_links(side, rows);
    PressureSystem system(side * side * rows, links, column_groups(side * side, rows));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-3.0, 3.0);
    for (double& value : system.conductance) {
        value = std::pow(10.0, exponent(random));
    }
    system.own.assign(system.own.size(), 1e-6);
    system.right[5] = 1.0;
    system.right[2345] = -0.5;
    std::vector<double> x;
    const auto iterations = system.solve(x, 1e-9);
    ASSERT_TRUE(iterations.has_value());
    EXPECT_LT(*iterations, 150);
    EXPECT_LT(residual(system, links, x), 1e-8);
}

TEST(PressureSystem, SolvesSystemsThatFollowEachOtherAsItSolvesEachAlone) {
    constexpr std::size_t side = 12, rows = 5;
    auto links = box_links(side, rows);
    links.emplace_back(17, side * side * rows);  // a well
    links.emplace_back(19, side * side * rows);
    auto groups = column_groups(side * side, rows);
    groups.push_back(3);
    std::mt19937 random(9);
    std::normal_distribution<double> exponent;
    std::vector<double> base(links.size());
    for (double& value : base) {
        value = std::exp(exponent(random));
    }
    PressureSystem all(groups.size(), links, groups);
    for (const double factor : {1.0, 1.1, 0.9, 1.6, 1e3, 0.0, 1.0}) {
        PressureSystem alone(groups.size(), links, groups);
        for (PressureSystem* system : {&all, &alone}) {
            for (std::size_t link = 0; link < links.size(); ++link) {
                system->conductance[link] = base[link] * (link % 3 == 0 ? factor : 1.0);
            }
            system->own.assign(groups.size(), 1e-3 * (1.0 + factor));
            system->right.assign(groups.size(), 0.0);
            system->right.back() = 1.0;
        }
        std::vector<double> x, expected;
        ASSERT_TRUE(all.solve(x, 1e-10).has_value() && alone.solve(expected, 1e-10).has_value()) << factor;
        EXPECT_LT(residual(all, links, x), 1e-9) << factor;
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_NEAR(x[i], expected[i], 1e-6 * expected.back()) << factor;
        }
    }
}

TEST(PressureSystem, IsExactWhereEachUnknownIsAGroup) {
    const std::vector<PressureSystem::Link> links{{0, 1}, {1, 2}, {0, 2}};
    PressureSystem system(3, links, {0, 1, 2});
    system.own = {1.0, 0.0, 0.0};
    system.conductance = {2.0, 3.0, 1e-3};
    system.right = {0.0, 0.0, 1.0};
    std::vector<double> x;
    const auto iterations = system.solve(x, 1e-12);
    ASSERT_TRUE(iterations.has_value());
    EXPECT_LE(*iterations, 2);
    EXPECT_LT(residual(system, links, x), 1e-12);
}

TEST(PressureSystem, HasNothingToSolveWithoutARightSide) {
    PressureSystem system(2, {{0, 1}}, {0, 0});
    system.own = {1.0, 1.0};
    std::vector<double> x{5.0, 5.0};
    EXPECT_EQ(system.solve(x, 1e-6), 0);
    EXPECT_EQ(x, std::vector<double>(2));
}

}  // namespace
}  // namespace plumecast::connections
