#include <plumecast/distributed/process_grid.hpp>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

TEST(GridShape, ReadsItsText) {
    EXPECT_EQ(GridShape::parse("4"), (GridShape{4, 1, 1}));
    EXPECT_EQ(GridShape::parse("2x4"), (GridShape{2, 4, 1}));
    EXPECT_EQ(GridShape::parse("2x4x3"), (GridShape{2, 4, 3}));
    EXPECT_EQ(GridShape::parse("2x4x3").text(), "2x4x3");
    EXPECT_EQ(GridShape::parse("2x4").text(), "2x4");
    EXPECT_EQ(GridShape::parse("2x4x3").ranks(), 24);
}

TEST(GridShape, RefusesOtherTexts) {
    for (const char* text :
         {"", "x", "2x", "0x4", "-1x2", "2x4x3x1", "2,4", "2x4 ", "99999999999x1", "twoxfour", "1048576x1048576"}) {
        EXPECT_THROW(GridShape::parse(text), InvalidInput) << text;
    }
}

TEST(GridShape, CutsTheLastAxesAndNeverTheFirst) {
    EXPECT_EQ((GridShape{2, 4, 1}.parts(2)), (std::vector<int>{1, 4}));
    EXPECT_EQ((GridShape{2, 4, 3}.parts(3)), (std::vector<int>{1, 3, 4}));
    EXPECT_THROW((GridShape{1, 2, 2}.parts(2)), InvalidInput);
}

TEST(ProcessGridOnRanks, PutsNeighboursInSpaceNextToEachOther) {
    on_ranks(6, [](Communicator& world) {
        const ProcessGrid grid(world, {2, 3, 1});
        EXPECT_EQ(grid.groups().rank(), world.rank() / 3);
        EXPECT_EQ(grid.space().rank(), world.rank() % 3);
        EXPECT_EQ(grid.groups().size(), 2);
        EXPECT_EQ(grid.space().size(), 3);
        EXPECT_EQ(grid.partition({4, 8}).held(grid.space().rank(), 1).cells(), world.rank() % 3 == 2 ? 2 : 3);
    });
}

TEST(ProcessGridOnRanks, NestsWhatRanksOwn) {
    on_ranks(6, [](Communicator& world) {
        const ProcessGrid grid(world, {1, 3, 2});
        EXPECT_EQ(grid.owners({1, 3, 4}), (AxisPartition{0, 3, 6, 8, 10, 11, 12})) << "along y between rows of x";
        EXPECT_EQ(grid.owners({4, 2, 2}), (AxisPartition{0, 3, 6, 8, 11, 14, 16}));
        const ProcessGrid by_transpose(world, {1, 3, 2}, Route::transpose);
        EXPECT_EQ(by_transpose.owners({2, 3, 4}), (AxisPartition{0, 4, 8, 12, 16, 20, 24}))
            << "rows of x, and planes along y";
        EXPECT_EQ(by_transpose.owners({1, 2, 4}), (AxisPartition{0, 4, 8, 8, 8, 8, 8})) << "too few planes for all";
        EXPECT_EQ(grid.along_x().rank(), world.rank() % 3);
        EXPECT_EQ(grid.along_y().rank(), world.rank() / 3);
        EXPECT_EQ(grid.along_x().size(), 3);
        EXPECT_EQ(grid.along_y().size(), 2);
    });
}

TEST(ProcessGridOnRanks, SharesOutTheCasesOfABatch) {
    on_ranks(4, [](Communicator& world) {
        const ProcessGrid grid(world, {4, 1, 1});
        EXPECT_EQ(grid.cases(8), (CellRange{2 * world.rank(), 2 * world.rank() + 2}));
        EXPECT_EQ(grid.cases(3).cells(), world.rank() < 3 ? 1 : 0);
    });
}

TEST(ProcessGridOnRanks, RefusesAShapeForAnotherNumberOfRanks) {
    on_ranks(2, [](Communicator& world) {
        EXPECT_THROW(ProcessGrid(world, {2, 2, 1}), InvalidInput);
        EXPECT_THROW(ProcessGrid(world, {1, 2, 1}).partition({4, 1}), InvalidInput);
    });
}

TEST(PlannedCommunicator, CountsWhatItWouldSend) {
    const auto planned = make_planned_communicator(1, 4);
    const std::vector<std::byte> piece(10);
    EXPECT_EQ(planned->allgather(piece).size(), 40u);
    EXPECT_EQ(planned->traffic(), (Traffic{30, 3}));
    std::vector<double> values{1.5};
    planned->sum(values);
    EXPECT_EQ(values[0], 6.0);
    EXPECT_EQ(planned->traffic(), (Traffic{54, 6}));
    EXPECT_THROW(planned->split(0, 0), Error);
}

}  // namespace
}  // namespace plumecast::testing
