#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

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

TEST(PlumeSizes, RefuseEdgesOfAnotherGrid) {
    const std::vector<float> saturation(6, 0.0F);
    EXPECT_THROW(plume_sizes(view_of(saturation, {2, 3, 1}), view_of(all_active, {2, 3}), z_edges, r_edges),
                 InvalidInput);
}

}  // namespace
}  // namespace plumecast
