#include "reservoir/metrics/polygon_share.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/even_odd.hpp"

namespace plumecast::testing {
namespace {

using Ring = std::vector<std::array<double, 2>>;

constexpr Parallelogram column{{0.0, 0.0}, {250.0, 0.0}, {0.0, 250.0}};

Ring square(double low, double high) { return {{low, low}, {high, low}, {high, high}, {low, high}}; }

/// A column that leans and is turned, at coordinates as maps have them.
constexpr Parallelogram leaning{{431000.0, 6521000.0}, {180.0, 70.0}, {40.0, 210.0}};

std::array<double, 2> within(const Parallelogram& of, double u, double v) {
    return {of.corner[0] + u * of.along_x[0] + v * of.along_y[0], of.corner[1] + u * of.along_x[1] + v * of.along_y[1]};
}

/// By points close to each other.
double counted_share(const Parallelogram& of, const MapPolygon& polygon) {
    constexpr int points = 500;
    int inside = 0;
    for (int j = 0; j < points; ++j) {
        for (int i = 0; i < points; ++i) {
            const auto [x, y] = within(of, (i + 0.5) / points, (j + 0.5) / points);
            inside += is_inside(polygon, x, y) ? 1 : 0;
        }
    }
    return static_cast<double>(inside) / (points * points);
}

double area_of(const Ring& ring) {
    double twice = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
        twice += (a[0] - ring[0][0]) * (b[1] - ring[0][1]) - (b[0] - ring[0][0]) * (a[1] - ring[0][1]);
    }
    return std::abs(0.5 * twice);
}

/// Corners at any distances around a point, one after the other, so that the lines do not cross.
Ring star(std::mt19937& random, double x, double y, double size) {
    std::uniform_real_distribution<double> length(0.1 * size, size);
    Ring ring;
    for (int corner = 0; corner < 17; ++corner) {
        const double angle = 2.0 * std::numbers::pi * corner / 17.0, radius = length(random);
        ring.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
    }
    return ring;
}

TEST(PolygonShare, CountsOneSideOfALevelLineThatPassesTheColumn) {
    for (const double beyond : {300.0, 5000.0}) {
        const Ring above = {{-beyond, 100.0}, {beyond, 100.0}, {beyond, 900.0}, {-beyond, 900.0}};
        EXPECT_DOUBLE_EQ(share_within(column, MapPolygon{{above}}), 0.6);
        const Ring between = {{-beyond, 50.0}, {beyond, 50.0}, {beyond, 75.0}, {-beyond, 75.0}};
        EXPECT_DOUBLE_EQ(share_within(column, MapPolygon{{between}}), 0.1);
    }
}

TEST(PolygonShare, IsExactForSmallAreas) {
    EXPECT_NEAR(share_within(column, {{square(117.0, 133.0)}}), 256.0 / 62500.0, 1e-15);
    EXPECT_NEAR(share_within(column, {{square(100.0, 100.5)}}), 0.25 / 62500.0, 1e-15);
    EXPECT_NEAR(share_within(column, {{{{10.0, 10.0}, {40.0, 10.0}, {10.0, 50.0}}}}), 600.0 / 62500.0, 1e-15);
}

TEST(PolygonShare, IsAllAndNothing) {
    EXPECT_EQ(share_within(column, {{square(-1e5, 1e5)}}), 1.0);
    EXPECT_EQ(share_within(column, {{square(0.0, 250.0)}}), 1.0);
    for (const Ring& elsewhere :
         {square(250.0, 500.0), square(-500.0, 0.0), square(-500.0, -400.0),
          Ring{{300.0, -100.0}, {400.0, -100.0}, {300.0, 400.0}}, Ring{{-10.0, 300.0}, {260.0, 300.0}, {100.0, 400.0}},
          Ring{{-1e3, -1e3}, {-10.0, 100.0}, {-1e3, 1e3}}}) {
        EXPECT_EQ(share_within(column, {{elsewhere}}), 0.0);
    }
    EXPECT_EQ(share_within(column, {}), 0.0);
}

TEST(PolygonShare, LeavesOutHolesAndWhatTwoRingsSurround) {
    EXPECT_NEAR(share_within(column, {{square(-50.0, 300.0), square(50.0, 100.0)}}), 1.0 - 2500.0 / 62500.0, 1e-15);
    EXPECT_NEAR(share_within(column, {{square(0.0, 100.0), square(50.0, 150.0)}}), 15000.0 / 62500.0, 1e-15);
    const Ring bow_tie = {{0.0, 0.0}, {100.0, 100.0}, {100.0, 0.0}, {0.0, 100.0}};
    EXPECT_NEAR(share_within(column, {{bow_tie}}), 5000.0 / 62500.0, 1e-15);
}

TEST(PolygonShare, JoinsPartsThatOverlap) {
    const MapPolygon apart{{square(0.0, 100.0), square(50.0, 150.0)}, {0, 1}};
    EXPECT_NEAR(share_within(column, apart), 17500.0 / 62500.0, 1e-15);
    const MapPolygon twice{{square(-50.0, 300.0), square(50.0, 100.0), square(-50.0, 300.0)}, {0, 0, 1}};
    EXPECT_EQ(share_within(column, twice), 1.0);  // the hole of one lies within the other
    EXPECT_NEAR(share_within(column, {{square(0.0, 200.0), square(50.0, 150.0), square(75.0, 100.0)}, {0, 0, 1}}),
                (40000.0 - 10000.0 + 625.0) / 62500.0, 1e-15);
}

TEST(PolygonShare, IsWhatPointsWithinSay) {
    std::mt19937 random(11);
    for (int turn = 0; turn < 6; ++turn) {
        const auto [x, y] = within(leaning, 0.2 * turn, 1.0 - 0.15 * turn);
        const MapPolygon polygon{{star(random, x, y, 200.0), star(random, x + 60.0, y - 20.0, 90.0)}};
        EXPECT_NEAR(share_within(leaning, polygon), counted_share(leaning, polygon), 2e-3) << turn;
        MapPolygon parts = polygon;
        parts.parts = {0, 1};
        EXPECT_NEAR(share_within(leaning, parts), counted_share(leaning, parts), 2e-3) << turn;
    }
}

TEST(PolygonShare, AddsUpToTheAreaOverTheColumnsOfAGrid) {
    std::mt19937 random(7);
    const Ring ring = star(random, leaning.corner[0] + 900.0, leaning.corner[1] + 1400.0, 600.0);
    const double area = leaning.along_x[0] * leaning.along_y[1] - leaning.along_x[1] * leaning.along_y[0];
    double sum = 0.0;
    for (int j = -10; j < 20; ++j) {
        for (int i = -10; i < 20; ++i) {
            Parallelogram one = leaning;
            one.corner = within(leaning, i, j);
            sum += area * share_within(one, {{ring}});
        }
    }
    EXPECT_NEAR(sum, area_of(ring), 1e-9 * area_of(ring));
}

}  // namespace
}  // namespace plumecast::testing
