#include "reservoir/import/grid_shape.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

namespace plumecast::testing {
namespace {

using eclipse::CornerPointGrid;
using eclipse::Point;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two columns and two layers of 3 and 4 m; `place(r, side)` is where a pillar stands, side 0 or 1.
template <class Place>
CornerPointGrid two_rings(Place place, std::vector<double> depths_of_layers = {1000.0, 1003.0, 1003.0, 1007.0}) {
    std::vector<double> pillars;
    for (const int side : {0, 1}) {
        for (const double r : {1.0, 10.0, 50.0}) {
            const Point at = place(r, side);
            for (const double z : {1000.0, 1007.0}) {
                pillars.insert(pillars.end(), {at.x, at.y, z});
            }
        }
    }
    std::vector<double> depths;
    for (const double z : depths_of_layers) {
        depths.insert(depths.end(), 8, z);
    }
    return CornerPointGrid::of_pillars({2, 1, 2}, pillars, depths);
}

Point unrolled(double r, int side) { return {r, (side == 0 ? -1.0 : 1.0) * std::numbers::pi * r, 0.0}; }
Point wedge(double r, int side) { return {r * std::cos(0.1 + 0.2 * side), r * std::sin(0.1 + 0.2 * side), 0.0}; }
Point box(double r, int side) { return {r, 10.0 * side, 0.0}; }

std::string radial_error(const CornerPointGrid& grid) {
    try {
        radial_shape(grid, "CASE");
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "";
}

TEST(RadialShape, KnowsAnUnrolledCylinderAWedgeAndCylindricalCoordinates) {
    CornerPointGrid cylindrical = two_rings([](double r, int side) { return Point{r, 360.0 * side, 0.0}; });
    cylindrical.set_cylindrical(true);
    for (const auto& [grid, share] :
         {std::pair(two_rings(unrolled), 1.0), std::pair(two_rings(wedge), 0.1 / std::numbers::pi),
          std::pair(cylindrical, 1.0)}) {
        const StoredGrid shape = radial_shape(grid, "CASE");
        EXPECT_NEAR(shape.ring_share, share, 1e-12);
        EXPECT_THAT(shape.r_edges,
                    ElementsAre(DoubleNear(1.0, 1e-12), DoubleNear(10.0, 1e-12), DoubleNear(50.0, 1e-12)));
        EXPECT_THAT(shape.z_edges, ElementsAre(0.0, 3.0, 7.0));
        EXPECT_EQ(shape.top, 1000.0);
    }
}

TEST(RadialShape, KnowsTheShareOfTheRingInCylindricalCoordinates) {
    const auto share_of = [](double angle) {
        CornerPointGrid grid = two_rings([angle](double r, int side) { return Point{r, angle * side, 0.0}; });
        grid.set_cylindrical(true);
        return radial_shape(grid, "CASE").ring_share;
    };
    EXPECT_DOUBLE_EQ(share_of(10.0), 1.0 / 36.0);
    EXPECT_EQ(share_of(0.0), 1.0) << "a circle that ends where it begins";
    EXPECT_THROW(share_of(400.0), InvalidData);
}

TEST(RadialShape, RefusesOtherGridsAndSaysWhy) {
    EXPECT_THAT(radial_error(two_rings(box)), HasSubstr("no edge of a ring around the axis"));
    EXPECT_THAT(radial_error(two_rings(box)), HasSubstr("import it as a box"));
    EXPECT_THAT(radial_error(two_rings(unrolled, {1000.0, 1003.0, 1004.0, 1007.0})), HasSubstr("a gap above it"));
    EXPECT_THAT(radial_error(
                    CornerPointGrid::of_pillars({1, 2, 1}, std::vector<double>(36, 0.0), std::vector<double>(16, 0.0))),
                HasSubstr("2 cells along j"));
    CornerPointGrid empty = two_rings(unrolled);
    empty.set_active({0, 0, 0, 0});
    EXPECT_THAT(radial_error(empty), HasSubstr("no cell is active"));
    CornerPointGrid tilted = CornerPointGrid::of_pillars(
        {1, 1, 1},
        {1, -std::numbers::pi, 0, 1, -std::numbers::pi, 1, 2, -2 * std::numbers::pi, 0, 2, -2 * std::numbers::pi, 1,
         1, std::numbers::pi,  0, 1, std::numbers::pi,  1, 2, 2 * std::numbers::pi,  0, 2, 2 * std::numbers::pi,  1},
        {0, 1, 0, 1, 5, 5, 5, 5});
    EXPECT_THAT(radial_error(tilted), HasSubstr("layer 1 is not horizontal"));
}

TEST(BoxShape, HoldsMeanWidthsVolumesAndCentresFromTheOrigin) {
    CornerPointGrid grid = two_rings(box);
    const StoredGrid shape = box_shape(grid, "CASE");
    EXPECT_EQ(shape.geometry, Geometry::cartesian);
    EXPECT_THAT(shape.x_edges, ElementsAre(0.0, 9.0, 49.0));
    EXPECT_THAT(shape.y_edges, ElementsAre(0.0, 10.0));
    EXPECT_THAT(shape.z_edges, ElementsAre(0.0, 3.0, 7.0));
    EXPECT_THAT(shape.cells.at("cell_volume"), ElementsAre(270.0F, 1200.0F, 360.0F, 1600.0F));
    EXPECT_THAT(shape.cells.at("cell_centre_x"), ElementsAre(4.5F, 29.0F, 4.5F, 29.0F));
    EXPECT_THAT(shape.cells.at("cell_centre_z"), ElementsAre(1.5F, 1.5F, 5.0F, 5.0F));
    EXPECT_THAT(shape.origin, HasSubstr("depth 1000 m"));
}

TEST(BoxShape, KeepsEdgesIncreasingWhereALayerIsPinchedOut) {
    const StoredGrid shape = box_shape(two_rings(box, {1000.0, 1003.0, 1003.0, 1003.0}), "CASE");
    ASSERT_EQ(shape.z_edges.size(), 3u);
    EXPECT_GT(shape.z_edges[2], shape.z_edges[1]);
    EXPECT_EQ(shape.cells.at("cell_volume")[2], 0.0F);
}

TEST(BoxShape, GivesCellsThatLieUpsideDownNoVolume) {
    const StoredGrid shape = box_shape(two_rings(box, {1000.0, 1003.0, 1003.0, 1002.0}), "CASE");
    EXPECT_THAT(shape.cells.at("cell_volume"), ElementsAre(270.0F, 1200.0F, 0.0F, 0.0F));
}

TEST(BoxShape, GivesAPlaceWithoutActiveCellsTheMeanWidthOfTheOthers) {
    std::vector<double> pillars;
    for (const double y : {0.0, 10.0}) {
        for (const double x : {1.0, 10.0, 50.0, 80.0}) {
            pillars.insert(pillars.end(), {x, y, 1000.0, x, y, 1003.0});
        }
    }
    std::vector<double> depths(12, 1000.0);
    depths.resize(24, 1003.0);
    CornerPointGrid grid = CornerPointGrid::of_pillars({3, 1, 1}, pillars, depths);
    grid.set_active({1, 0, 1});
    EXPECT_THAT(box_shape(grid, "CASE").x_edges, ElementsAre(0.0, 9.0, 28.5, 58.5));
}

TEST(CellDepth, IsThatOfTheRowInGridsOfSeveralLines) {
    StoredGrid plain;  // of a data set without depths of its own
    plain.geometry = Geometry::cartesian;
    plain.x_edges = {0.0, 10.0, 20.0};
    plain.y_edges = {0.0, 10.0, 20.0, 30.0};
    plain.z_edges = {0.0, 3.0, 7.0};
    EXPECT_EQ(cell_depth(plain, 5), 1.5);
    EXPECT_EQ(cell_depth(plain, 6), 5.0);
    EXPECT_EQ(cell_depth(plain, 11), 5.0);
}

TEST(SameGrid, AdmitsFewerRowsAndRefusesOtherEdges) {
    const StoredGrid tall = radial_shape(two_rings(unrolled), "TALL");
    StoredGrid low = tall;
    low.z_edges.pop_back();
    EXPECT_NO_THROW(check_same(tall, low, "LOW", "TALL"));
    low.z_edges.back() = 3.5;
    EXPECT_THROW(check_same(tall, low, "LOW", "TALL"), InvalidData);
    EXPECT_THROW(check_same(tall, box_shape(two_rings(box), "BOX"), "BOX", "TALL"), InvalidData);
    StoredGrid wide = box_shape(two_rings(box), "BOX");
    const StoredGrid narrow = wide;
    wide.cells["cell_volume"][1] *= 1.01F;
    EXPECT_THROW(check_same(narrow, wide, "WIDE", "BOX"), InvalidData);
    StoredGrid plain = narrow;  // of a data set without volumes of its own
    plain.cells.clear();
    EXPECT_NO_THROW(check_same(plain, narrow, "BOX", "PLAIN"));
    plain.x_edges.back() += 1.0;
    EXPECT_THROW(check_same(plain, narrow, "BOX", "PLAIN"), InvalidData);
}

}  // namespace
}  // namespace plumecast::testing
