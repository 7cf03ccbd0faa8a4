
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/record_bytes.hpp"

namespace plumecast::testing {
namespace {

using eclipse::CornerPointGrid;
using eclipse::Corners;
using eclipse::Point;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int> head(std::initializer_list<int> values) {
    std::vector<int> all(values);
    all.resize(100, 0);
    return all;
}

/// Two cells of 10 x 20 x 5 length units beside each other, the second inactive.
std::string two_cells(const std::string& unit = "METRES") {
    std::vector<float> pillars;
    for (const float y : {0.0F, 20.0F}) {
        for (const float x : {0.0F, 10.0F, 20.0F}) {
            pillars.insert(pillars.end(), {x, y, 1000.0F, x, y, 1005.0F});
        }
    }
    std::vector<float> depths(8, 1000.0F);
    depths.resize(16, 1005.0F);
    return integers("FILEHEAD", head({3, 2007, 0, 0, 0, 0, 1})) + texts("GRIDUNIT", {unit, ""}) +
           integers("GRIDHEAD", head({1, 2, 1, 1})) + reals("COORD", pillars) + reals("ZCORN", depths) +
           integers("ACTNUM", {1, 0}) + integers("ENDGRID", {});
}

/// The same two cells in the older format, the second one first.
std::string two_cells_by_corners() {
    const auto cell = [](int i, int active) {
        std::vector<float> corners;
        for (const float z : {1000.0F, 1005.0F}) {
            for (const float y : {0.0F, 20.0F}) {
                for (const int di : {0, 1}) {
                    corners.insert(corners.end(), {10.0F * static_cast<float>(i + di), y, z});
                }
            }
        }
        return integers("COORDS", {i + 1, 1, 1, i + 1, active}) + reals("CORNERS", corners);
    };
    return integers("DIMENS", {2, 1, 1}) + texts("GRIDUNIT", {"METRES", ""}) + cell(1, 0) + cell(0, 1);
}

class GridTest : public TemporaryFolder {
   protected:
    CornerPointGrid read(const std::string& bytes) {
        write(folder_ / "CASE.EGRID", bytes);
        return eclipse::read_grid(folder_ / "CASE.EGRID");
    }
    std::string error_of(const std::string& bytes) {
        try {
            read(bytes);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(GridTest, ReadsPillarsAndDepths) {
    const CornerPointGrid grid = read(two_cells());
    EXPECT_EQ(grid.cells(), 2);
    EXPECT_THAT(grid.active(), ElementsAre(1, 0));
    const Corners corners = grid.corners(1, 0, 0);
    EXPECT_EQ(corners[3].x, 20.0);
    EXPECT_EQ(corners[3].y, 20.0);
    EXPECT_EQ(corners[7].z, 1005.0);
    EXPECT_DOUBLE_EQ(eclipse::volume(corners), 1000.0);
    EXPECT_EQ(eclipse::centre(corners).x, 15.0);
    EXPECT_EQ(eclipse::centre(corners).z, 1002.5);
}

TEST_F(GridTest, ReadsCornersOfTheOlderFormatAlike) {
    const CornerPointGrid grid = read(two_cells_by_corners());
    const CornerPointGrid same = read(two_cells());
    EXPECT_EQ(grid.active(), same.active());
    for (const int i : {0, 1}) {
        for (std::size_t corner = 0; corner < 8; ++corner) {
            EXPECT_EQ(grid.corners(i, 0, 0)[corner].x, same.corners(i, 0, 0)[corner].x);
            EXPECT_EQ(grid.corners(i, 0, 0)[corner].y, same.corners(i, 0, 0)[corner].y);
            EXPECT_EQ(grid.corners(i, 0, 0)[corner].z, same.corners(i, 0, 0)[corner].z);
        }
    }
}

TEST_F(GridTest, BringsLengthsToMetres) {
    EXPECT_NEAR(eclipse::volume(read(two_cells("FEET")).corners(0, 0, 0)), 1000.0 * std::pow(0.3048, 3), 1e-9);
    EXPECT_NEAR(eclipse::volume(read(two_cells("CM")).corners(0, 0, 0)), 1e-3, 1e-15);
}

TEST_F(GridTest, NamesLocalRefinementsAndDistantConnections) {
    const std::string refined = two_cells() + integers("NNC1", {1, 2}) + integers("NNC2", {2, 1}) +
                                texts("LGR", {"FINE"}) + integers("GRIDHEAD", head({1, 3, 2, 1, 1})) +
                                integers("HOSTNUM", {1, 1, 1, 2, 2, 2}) + integers("ENDGRID", {});
    const CornerPointGrid grid = read(refined);
    EXPECT_EQ(grid.cells(), 2);
    EXPECT_THAT(grid.distant_connections(), ElementsAre(eclipse::CellPair(0, 1), eclipse::CellPair(1, 0)));
    ASSERT_EQ(grid.local_grids().size(), 1u);
    EXPECT_EQ(grid.local_grids()[0].name, "FINE");
    EXPECT_EQ(grid.local_grids()[0].cells, 6);
    EXPECT_EQ(grid.local_grids()[0].hosts, 2);
}

TEST_F(GridTest, ReadsTheOlderFormatWithActiveCellsOnly) {
    const std::string all = two_cells_by_corners();
    const std::string head_of_file = integers("DIMENS", {2, 1, 1}) + texts("GRIDUNIT", {"METRES", ""});
    const std::size_t of_cell = (all.size() - head_of_file.size()) / 2;
    const CornerPointGrid grid =
        read(head_of_file + all.substr(head_of_file.size() + of_cell));  // the first cell alone
    EXPECT_THAT(grid.active(), ElementsAre(1, 0));
    EXPECT_TRUE(grid.has_corners(0, 0, 0));
    EXPECT_FALSE(grid.has_corners(1, 0, 0));
    EXPECT_DOUBLE_EQ(eclipse::volume(grid.corners(0, 0, 0)), 1000.0);
    EXPECT_EQ(eclipse::volume(grid.corners(1, 0, 0)), 0.0);
}

TEST_F(GridTest, RefusesWhatItCannotRead) {
    EXPECT_THAT(error_of(integers("FILEHEAD", head({3, 2007, 0, 0, 1, 0, 0}))), HasSubstr("unstructured"));
    EXPECT_THAT(error_of(integers("FILEHEAD", head({3, 2007, 0, 0, 0, 1, 1}))), HasSubstr("dual porosity"));
    EXPECT_THAT(error_of(integers("GRIDHEAD", head({1, 0, 1, 1}))), HasSubstr("0 cells along an axis"));
    EXPECT_THAT(error_of(integers("GRIDHEAD", head({1, 2147483647, 2147483647, 2147483647}))), HasSubstr("10^12"));
    EXPECT_THAT(error_of(reals("GRIDHEAD", {1.0F, std::nanf(""), 1.0F, 1.0F})), HasSubstr("its type must be INTE"));
    EXPECT_THAT(error_of(integers("GRIDHEAD", {1, 2})), HasSubstr("at least 4 values"));
    EXPECT_THAT(error_of(integers("GRIDHEAD", head({1, 2, 1, 1})) + reals("COORD", {1.0F})),
                HasSubstr("COORD (REAL, 1 values) (36 values are expected)"));
    EXPECT_THAT(error_of(integers("DIMENS", {1000, 1000, 1000})), HasSubstr("too short for 1000000000 cells"));
    EXPECT_THAT(error_of(two_cells("MILES")), HasSubstr("METRES, FEET or CM"));
    EXPECT_THAT(error_of(integers("FILEHEAD", head({3}))), HasSubstr("the grid is incomplete"));
}

TEST(CellVolume, IsTheRingsInAnUnrolledCylinder) {
    const double inner = 3.0;
    const double outer = 5.0;
    Corners corners;
    for (std::size_t c = 0; c < 8; ++c) {
        const double r = (c & 1) != 0 ? outer : inner;
        corners[c] = {r, (c & 2) != 0 ? std::numbers::pi * r : -std::numbers::pi * r, (c & 4) != 0 ? 7.0 : 0.0};
    }
    EXPECT_NEAR(eclipse::volume(corners), std::numbers::pi * (25.0 - 9.0) * 7.0, 1e-10);
}

TEST(CellVolume, IsExactForATwistedCell) {
    // A unit cube with one corner moved: the trilinear map is x = u (1 + v w), so the volume is 1 + 1/4.
    Corners corners;
    for (std::size_t c = 0; c < 8; ++c) {
        corners[c] = {(c & 1) != 0 ? 1.0 : 0.0, (c & 2) != 0 ? 1.0 : 0.0, (c & 4) != 0 ? 1.0 : 0.0};
    }
    corners[7].x = 2.0;
    EXPECT_NEAR(eclipse::volume(corners), 1.25, 1e-14);
}

}  // namespace
}  // namespace plumecast::testing
