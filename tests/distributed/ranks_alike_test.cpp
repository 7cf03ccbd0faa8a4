#include "distributed/ranks_alike.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

TEST(RanksAlikeOnRanks, CountsThoseThatSayTheSame) {
    on_ranks(3, [](Communicator& ranks) {
        EXPECT_EQ(ranks_alike(ranks, ranks.rank() == 1 ? "one" : "other"), ranks.rank() == 1 ? 1 : 2);
        EXPECT_EQ(ranks_alike(ranks, ""), 3);
        EXPECT_EQ(ranks_alike(ranks, std::string("a\0b", ranks.rank() == 0 ? 1 : 3)), ranks.rank() == 0 ? 1 : 2);
    });
}

TEST(RanksAlike, IsOneOfOne) { EXPECT_EQ(ranks_alike(*make_self_communicator(), "device"), 1); }

}  // namespace
}  // namespace plumecast::testing
