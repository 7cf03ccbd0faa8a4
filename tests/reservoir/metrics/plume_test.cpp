#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "reservoir/metrics/cell_geometry.hpp"

namespace plumecast {
namespace {

const std::vector<double> r_edges{0.0, 1.0, 2.0, 4.0};
const std::vector<double> z_edges{0.0, 5.0, 7.0};
const std::vector<float> all_active(6, 1.0F);

ConstView view_of(const std::vector<float>& values, const Shape& shape) {
    return {shape, DType::float32, values.data()};
}

TEST(PlumeSizes, MeasureRadiusAreaAndThicknessAtEachTime) {
    // [2, 3, 2]: no gas at time 0; at time 1 the inner ring of the lower layer and the outer ring of the upper one.
    const std::vector<float> saturation{0, 0, 0, 0, 0, 0.5F, 0, 0.5F, 0, 0, 0, 0};
    const auto sizes = plume_sizes(view_of(saturation, {2, 3, 2}), view_of(all_active, {2, 3}), r_edges, z_edges);
    ASSERT_EQ(sizes.size(), 2U);
    EXPECT_EQ(sizes[0].radius, 0.0);
    EXPECT_EQ(sizes[0].area, 0.0);
    EXPECT_EQ(sizes[0].thickness, 0.0);
    EXPECT_EQ(sizes[1].radius, 4.0);
    EXPECT_NEAR(sizes[1].area, std::numbers::pi * (1.0 + 12.0), 1e-12);
    EXPECT_EQ(sizes[1].thickness, 7.0);
}

TEST(PlumeSizes, IgnoreInactiveCellsAndGasAtTheThreshold) {
    const std::vector<float> saturation{0.5F, 0.25F, 0, 0, 0, 0.5F};
    const std::vector<float> active{1, 1, 1, 1, 1, 0};
    const auto sizes = plume_sizes(view_of(saturation, {2, 3, 1}), view_of(active, {2, 3}), r_edges, z_edges, 0.25);
    EXPECT_EQ(sizes[0].radius, 1.0);
    EXPECT_EQ(sizes[0].thickness, 5.0);
}

TEST(PlumeSizes, CountAsFootprintTheColumnsWhoseUppermostActiveCellIsPlume) {
    // The top of the first ring is plume; that of the second is not; that of the third is inactive.
    const std::vector<float> saturation{0.5F, 0, 0, 0, 0.5F, 0.5F};
    const std::vector<float> active{1, 1, 0, 1, 1, 1};
    const auto sizes = plume_sizes(view_of(saturation, {2, 3, 1}), view_of(active, {2, 3}), r_edges, z_edges);
    EXPECT_NEAR(sizes[0].footprint, std::numbers::pi * (1.0 + 12.0), 1e-12);
    EXPECT_NEAR(sizes[0].area, std::numbers::pi * 16.0, 1e-12);
}

/// Radius of the plume of a layer of rings at 0, 10, 20, 30 and 40 m with these saturations.
PlumeSize size_of_row(const std::vector<float>& saturation, double threshold = 0.01) {
    const std::vector<double> edges{0.0, 10.0, 20.0, 30.0, 40.0};
    const std::vector<double> layer{0.0, 1.0};
    const std::vector<float> active(4, 1.0F);
    const CellGeometry geometry = radial_geometry(edges, layer);
    return size_of(cover_above(saturation, active, geometry, threshold, FieldEdge::sharp), geometry);
}

TEST(PlumeSizes, PlaceTheFrontWithinTheRingThatIsPartlyFull) {
    // A front in the middle of the area of the third ring, before which there is no gas.
    const PlumeSize half = size_of_row({0.5F, 0.5F, 0.255F, 0.0F});
    EXPECT_NEAR(half.radius, std::sqrt(0.5 * (400.0 + 900.0)), 1e-6);
    EXPECT_NEAR(half.area, std::numbers::pi * half.radius * half.radius, 1e-6);
    EXPECT_EQ(half.resolution, 10.0);
    EXPECT_NEAR(half.area_resolution, std::numbers::pi * 500.0, 1e-9);
    EXPECT_EQ(size_of_row({0.5F, 0.5F, 0.5F, 0.0F}).radius, 30.0);
}

TEST(PlumeSizes, MoveWithoutAJumpAsTheFrontPassesThroughRings) {
    double before = 20.0;
    for (int step = 1; step <= 200; ++step) {  // the third ring fills, then the fourth
        const float third = 0.005F * static_cast<float>(std::min(step, 100));
        const float fourth = 0.005F * static_cast<float>(std::max(0, step - 100));
        const double radius = size_of_row({0.5F, 0.5F, third, fourth}).radius;
        EXPECT_GE(radius, before) << step;
        EXPECT_LE(radius, before + 0.4) << step;
        before = radius;
    }
    EXPECT_EQ(before, 40.0);
    // A smeared front: gas before it fills the ring up to the threshold.
    EXPECT_NEAR(size_of_row({0.5F, 0.5F, 0.1F, 0.00999999F}).radius, size_of_row({0.5F, 0.5F, 0.1F, 0.0100001F}).radius,
                1e-3);
}

TEST(PlumeSizes, DifferBetweenRealizationsThatEndInTheSameRing) {
    std::vector<double> radii;
    for (int one = 0; one < 200; ++one) {
        radii.push_back(size_of_row({0.6F, 0.6F, 0.02F + 0.002F * static_cast<float>(one), 0.0F}).radius);
    }
    std::ranges::sort(radii);
    EXPECT_EQ(std::unique(radii.begin(), radii.end()), radii.end());
}

TEST(PlumeSizes, InterpolateInBoxesTowardsTheWell) {
    const std::vector<double> x{0.0, 10.0, 20.0, 30.0};
    const std::vector<double> line{0.0, 2.0};
    const std::vector<double> layer{0.0, 1.0};
    const std::vector<std::size_t> wells{0};
    const CellGeometry geometry = box_geometry(x, line, layer, wells);
    const std::vector<float> active(3, 1.0F);
    const auto radius = [&](float outer) {
        const std::vector<float> saturation{0.5F, outer, 0.0F};
        return size_of(cover_above(saturation, active, geometry, 0.0, FieldEdge::sharp), geometry).radius;
    };
    EXPECT_NEAR(radius(0.25F), 0.5 * (geometry.nears[1] + geometry.reaches[1]), 1e-6);
    EXPECT_EQ(radius(0.5F), geometry.reaches[1]);
    const std::vector<float> buildup{3.0F, 2.0F, 1.0F};
    const PlumeSize front = size_of(cover_above(buildup, active, geometry, 1.75, FieldEdge::smooth), geometry);
    EXPECT_NEAR(front.radius, 10.0 + 0.25 * 10.0, 1e-9);
}

TEST(PlumeSizes, RefuseEdgesOfAnotherGrid) {
    const std::vector<float> saturation(6, 0.0F);
    EXPECT_THROW(plume_sizes(view_of(saturation, {2, 3, 1}), view_of(all_active, {2, 3}), z_edges, r_edges),
                 InvalidInput);
}

}  // namespace
}  // namespace plumecast
