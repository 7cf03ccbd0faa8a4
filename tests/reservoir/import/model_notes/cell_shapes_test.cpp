#include "reservoir/import/model_notes/cell_shapes.hpp"

#include <algorithm>

#include "reservoir/import/deck_import_test.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CellShapesTest : public TemporaryFolder {
   protected:
    /// Columns of 10 m of one layer of 5 m, in a row; `bend` may move the pillars [6] and the corner depths.
    static eclipse::CornerPointGrid row_of_cells(std::int64_t columns, const auto& bend) {
        std::vector<double> pillars, depths;
        for (const double y : {0.0, 10.0}) {
            for (std::int64_t i = 0; i <= columns; ++i) {
                const double x = 10.0 * static_cast<double>(i);
                pillars.insert(pillars.end(), {x, y, 1000.0, x, y, 1005.0});
            }
        }
        for (const double depth : {1000.0, 1005.0}) {
            depths.insert(depths.end(), static_cast<std::size_t>(4 * columns), depth);
        }
        bend(pillars, depths);
        return eclipse::CornerPointGrid::of_pillars({columns, 1, 1}, pillars, depths);
    }
};

TEST_F(CellShapesTest, SoundCellsNeedNoWords) {
    const auto grid = row_of_cells(3, [](auto&, auto&) {});
    EXPECT_THAT(notes_on_shapes(grid, "A"), IsEmpty());
    EXPECT_DOUBLE_EQ(eclipse::signed_volume(grid.corners(1, 0, 0)), 500.0);
}

TEST_F(CellShapesTest, CountsCellsOfNegativeVolumeAndNamesTheFirst) {
    const auto exchanged = [](auto& pillars, auto&) {  // two pillars on each side stand in the wrong order
        for (const std::size_t side : {0, 101}) {
            std::swap_ranges(pillars.begin() + 6 * (side + 40), pillars.begin() + 6 * (side + 41),
                             pillars.begin() + 6 * (side + 41));
        }
    };
    const auto grid = row_of_cells(100, exchanged);
    EXPECT_LT(eclipse::signed_volume(grid.corners(40, 0, 0)), 0.0);
    EXPECT_THAT(notes_on_shapes(grid, "A"), ElementsAre(StartsWith("cell (41, 1, 1) has a negative volume")));
    const auto mirrored = row_of_cells(100, [&](auto& pillars, auto& depths) {
        exchanged(pillars, depths);
        for (std::size_t at = 1; at < pillars.size(); at += 3) {
            pillars[at] = -pillars[at];  // the y axis of the grid points south
        }
    });
    EXPECT_THAT(notes_on_shapes(mirrored, "A"), ElementsAre(StartsWith("cell (41, 1, 1) has a negative volume")));
}

TEST_F(CellShapesTest, RefusesMoreThanAFewOfThemAndNamesTheFirst) {
    const auto grid = row_of_cells(10, [](auto& pillars, auto&) {
        for (const std::size_t side : {0, 11}) {
            std::swap_ranges(pillars.begin() + 6 * (side + 4), pillars.begin() + 6 * (side + 5),
                             pillars.begin() + 6 * (side + 5));
        }
    });
    try {
        notes_on_shapes(grid, "A");
        ADD_FAILURE() << "every tenth cell is folded";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("A: 1 of 10 active cells are turned inside out on the map, the first "
                                            "(5, 1, 1)"));
    }
}

TEST_F(CellShapesTest, NamesCornersThatCrossOnOnePillar) {
    const auto grid = row_of_cells(4, [](auto&, auto& depths) {
        for (const std::size_t corner : {2, 4}) {  // the near left corner of cells 2 and 3 at the top
            depths[corner] = 1007.0;
        }
    });
    EXPECT_THAT(notes_on_shapes(grid, "A"),
                ElementsAre(StartsWith("2 cells, the first (2, 1, 1), have a corner whose bottom lies above its top"),
                            StartsWith("the cells of layer 1 have their tops at 1000 to 1001.75 m")));
}

TEST_F(CellShapesTest, NamesTheFirstOfTheInvertedCells) {
    auto grid = row_of_cells(4, [](auto&, auto& depths) {
        for (const std::size_t corner : {4, 5, 12, 13}) {  // the top of cell 3
            depths[corner] = 1007.0;
        }
    });
    EXPECT_EQ(inverted_cells(grid, "A").text(), "cell (3, 1, 1)");
    EXPECT_THAT(notes_on_shapes(grid, "A"), ElementsAre(AllOf(StartsWith("1 cell is left out whose bottom lies above"),
                                                              HasSubstr("the first is (3, 1, 1)"))));
    grid.set_active({1, 1, 0, 1});
    EXPECT_EQ(inverted_cells(grid, "A").count, 0);
}

TEST_F(CellShapesTest, TellsTheDepthsOfColumnsThatDip) {
    const auto dipping = [](double by) {
        return row_of_cells(4, [by](auto&, auto& depths) {
            for (std::size_t corner = 0; corner < depths.size(); ++corner) {
                depths[corner] += by * static_cast<double>((corner % 8 + 1) / 2);  // pillars of the row from 0 to 4
            }
        });
    };
    auto grid = dipping(10.0);
    EXPECT_THAT(notes_on_shapes(grid, "A"),
                ElementsAre(AllOf(StartsWith("the cells of layer 1 have their tops at 1005 to 1035 m"),
                                  HasSubstr("networks see level layers"))));
    grid.set_active({0, 1, 1, 0});
    EXPECT_THAT(notes_on_shapes(grid, "A"),
                ElementsAre(StartsWith("the cells of layer 1 have their tops at 1015 to 1025 m")));
    EXPECT_THAT(notes_on_shapes(dipping(0.1), "A"), IsEmpty());
}

}  // namespace
}  // namespace plumecast::testing
