#include "reservoir/case_model/topography.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/simulation/box_sample.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;

/// 2 x 4 x 6 cells of 10 m x 100 m x 100 m.
BoxSettings box_of(const TopographySettings& topography) {
    return {.rows = 2,
            .lines = 4,
            .columns = 6,
            .height = 20.0,
            .length_y = 400.0,
            .length_x = 600.0,
            .topography = topography};
}

CornerPoints shape_of(const TopographySettings& topography) {
    const BoxSettings box = box_of(topography);
    return box_corner_points(box, box_grid(box));
}

/// Depth of a corner of the uppermost cells, by its place in [2Y, 2X].
double top(const CornerPoints& shape, std::size_t corner_y, std::size_t corner_x) {
    return shape.depths[corner_y * 2 * shape.columns + corner_x];
}

TEST(Topography, CountsDepthsFromTheHighestCorner) {
    TopographySettings topography;
    topography.dip = 5.0;
    topography.dip_direction = 180.0;
    const CornerPoints shape = shape_of(topography);
    EXPECT_NEAR(top(shape, 0, 11), 0.0, 1e-9);  // the highest at the far side
    EXPECT_NEAR(top(shape, 0, 0), 600.0 * std::tan(5.0 * std::numbers::pi / 180.0), 1e-9);
    EXPECT_THAT(shape.depths, Each(Ge(0.0)));
    EXPECT_NEAR(shape.centre_depth(5 + 24), 0.5 * 100.0 * std::tan(5.0 * std::numbers::pi / 180.0) + 15.0, 1e-9);
    EXPECT_NEAR(std::ranges::max(shape.depths), shape.pillars[5], 1e-9);  // the lower ends of pillars
}

TEST(Topography, AnticlinesFallByTheirLengthAndWidth) {
    TopographySettings topography;
    topography.anticlines.push_back(
        {.height = 50.0, .x = 300.0, .y = 200.0, .length = 200.0, .width = 100.0, .direction = 90.0});
    const CornerPoints shape = shape_of(topography);
    EXPECT_NEAR(top(shape, 4, 6), 0.0, 1e-9);
    const double e = 1.0 - std::exp(-1.0);
    EXPECT_NEAR(top(shape, 0, 6), 50.0 * e, 1e-9);  // a length along the axis, which goes along y
    EXPECT_NEAR(top(shape, 4, 8), 50.0 * e, 1e-9);  // a width across
    EXPECT_EQ(top(shape, 4, 7), top(shape, 4, 8));  // no fault between cells
}

TEST(Topography, FaultsThrowWhatLiesBeyond) {
    TopographySettings topography;
    topography.faults.push_back({.along = FaultAxis::y, .at = 190.0, .displacement = 12.0});
    topography.faults.push_back({.along = FaultAxis::x, .at = 210.0, .displacement = -8.0, .ends = {{100.0, 500.0}}});
    const BoxSettings box = box_of(topography);
    const CornerPoints shape = box_corner_points(box, box_grid(box));
    // The highest corner lies before the first fault's side and beyond the second, near the middle of its ends.
    EXPECT_NEAR(top(shape, 0, 4) - top(shape, 0, 3), 12.0, 1e-9);
    EXPECT_NEAR(top(shape, 3, 6) - top(shape, 4, 6), 8.0, 1e-9);  // the middle, x = 300
    EXPECT_NEAR(top(shape, 3, 4) - top(shape, 4, 4), 8.0 * std::sqrt(0.75), 1e-9);
    EXPECT_NEAR(top(shape, 3, 2) - top(shape, 4, 2), 0.0, 1e-9);  // an end
    EXPECT_NEAR(top(shape, 3, 0) - top(shape, 4, 0), 0.0, 1e-9);  // before it
    const std::vector<FaultTrace> traces = fault_traces(box, box_grid(box));
    ASSERT_EQ(traces.size(), 2U);
    EXPECT_EQ(traces[0].at, 2U);
    EXPECT_EQ(traces[0].end - traces[0].first, 4U);
    EXPECT_EQ(traces[1].at, 2U);
    EXPECT_EQ(traces[1].first, 1U);
    EXPECT_EQ(traces[1].end, 5U);
}

/// A case of box_sample.hpp on layers with two faults, one of which holds back flow by a drawn factor.
BoxReservoir faulted_box(double low, double high) {
    GeneratorConfiguration configuration = box_configuration();
    TopographySettings topography;
    topography.dip = 2.0;
    topography.faults.push_back({.at = 1200.0, .displacement = 30.0, .multiplier = {low, high}});
    topography.faults.push_back({.along = FaultAxis::x, .at = 900.0, .displacement = 0.0, .multiplier = {low, high}});
    configuration.box->topography = topography;
    return draw_box(configuration, box_grid(*configuration.box), 2, 100.0);
}

TEST(FaultedBox, DrawsMultipliersOfItsFaults) {
    const BoxReservoir open = faulted_box(1.0, 1.0), sealed = faulted_box(1e-3, 1e-1);
    ASSERT_EQ(sealed.fault_multipliers.size(), 2U);
    EXPECT_NE(sealed.fault_multipliers[0], sealed.fault_multipliers[1]);
    for (const double multiplier : sealed.fault_multipliers) {
        EXPECT_GE(multiplier, 1e-3);
        EXPECT_LE(multiplier, 1e-1);
    }
    const CellConnections before = open.connections(), after = sealed.connections();
    const auto ratio = [](double value, double of) { return of > 0.0 ? value / of : 1.0; };
    ASSERT_EQ(before.apart.size(), after.apart.size());
    EXPECT_GT(before.apart.size(), 0U);
    for (std::size_t i = 0; i < before.apart.size(); ++i) {  // across the first alone: the second has no throw
        EXPECT_NEAR(ratio(after.apart[i].transmissibility, before.apart[i].transmissibility),
                    sealed.fault_multipliers[0], 1e-9);
    }
    for (std::size_t cell = 0; cell < before.x.size(); ++cell) {
        const bool beside_first = cell % 8 == 3, beside_second = cell / 8 % 6 == 2;
        EXPECT_NEAR(ratio(after.x[cell], before.x[cell]),
                    beside_first && before.x[cell] > 0.0 ? sealed.fault_multipliers[0] : 1.0, 1e-9);
        EXPECT_NEAR(ratio(after.y[cell], before.y[cell]), beside_second ? sealed.fault_multipliers[1] : 1.0, 1e-9);
        EXPECT_EQ(after.z[cell], before.z[cell]);
    }
}

TEST(FaultedBox, ItsRockIsThatOfTheBox) {
    const GeneratorConfiguration level = box_configuration();
    const BoxReservoir box = draw_box(level, box_grid(*level.box), 2, 100.0), faulted = faulted_box(1.0, 1.0);
    EXPECT_EQ(box.rock.permeability_r, faulted.rock.permeability_r);
    EXPECT_EQ(box.pore_volumes(), faulted.pore_volumes());
    EXPECT_FALSE(box.corner_points);
    EXPECT_THAT(box.faults, IsEmpty());
}

}  // namespace
}  // namespace plumecast::testing
