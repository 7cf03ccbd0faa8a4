#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/partition.hpp>

#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

TEST(PartitionOnRanks, GivesEveryCellToOneRank) {
    on_several_ranks([](Communicator& communicator) {
        for (int columns = 1; columns <= communicator.size(); ++columns) {
            if (communicator.size() % columns != 0) {
                continue;
            }
            const Partition partition(
                communicator,
                {balanced_partition(7, communicator.size() / columns), {0, 3}, balanced_partition(5, columns)});
            std::int64_t cells = 0;
            for (const std::vector<Box>& boxes : partition.layout(2, 4, 3)) {
                cells += boxes.front().count();
            }
            EXPECT_EQ(cells, 2 * 7 * 3 * 5 * 4 * 3);
            const Box own = partition.held();
            EXPECT_EQ(own.low()[2], partition.held(communicator.rank(), 2).low);
            EXPECT_EQ(own.extents()[1], 3);
        }
    });
}

TEST(Partition, NumbersRanksRowMajor) {
    on_ranks(6, [](Communicator& communicator) {
        const Partition partition(communicator, {{0, 4, 8}, {0, 1, 2, 3}});
        EXPECT_EQ(partition.held(4, 0), (CellRange{4, 8}));
        EXPECT_EQ(partition.held(4, 1), (CellRange{1, 2}));
        EXPECT_EQ(partition.held(2, 0), (CellRange{0, 4}));
        EXPECT_EQ(partition.held(2, 1), (CellRange{2, 3}));
    });
}

TEST(Partition, HalvesLevelByLevel) {
    const auto self = make_self_communicator();
    const Partition fine(*self, {{0, 8}, {0, 5}});
    EXPECT_EQ(fine.coarser().extents(), (Shape{4, 3}));
    EXPECT_EQ(fine.coarser().coarser().extents(), (Shape{2, 2}));
}

TEST(Partition, ClipsWhatIsNeededToTheSpace) {
    on_ranks(2, [](Communicator& communicator) {
        const Partition partition(communicator, {{0, 4, 6}});
        const Layout needed = partition.layout(1, 2, 1, [](int, CellRange held) {
            return CellRange{held.low - 1, held.high + 1};
        });
        EXPECT_EQ(needed[0][0], Box({0, 0, 0, 0}, {1, 5, 2, 1}));
        EXPECT_EQ(needed[1][0], Box({0, 3, 0, 0}, {1, 6, 2, 1}));
    });
}

TEST(Partition, RefusesAGridThatDoesNotMatchTheRanks) {
    const auto self = make_self_communicator();
    EXPECT_THROW(Partition(*self, {{0, 2, 4}, {0, 3}}), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
