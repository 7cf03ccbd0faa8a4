#include <array>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/communicator.hpp>

#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CommunicatorOnRanks, GathersPiecesInRankOrder) {
    on_several_ranks([](Communicator& communicator) {
        const std::array<std::byte, 2> mine = {std::byte(communicator.rank()), std::byte(100 + communicator.rank())};
        const std::vector<std::byte> all = communicator.allgather(mine);
        ASSERT_EQ(all.size(), 2U * static_cast<std::size_t>(communicator.size()));
        for (int rank = 0; rank < communicator.size(); ++rank) {
            EXPECT_EQ(all[2U * static_cast<std::size_t>(rank)], std::byte(rank));
            EXPECT_EQ(all[2U * static_cast<std::size_t>(rank) + 1], std::byte(100 + rank));
        }
    });
}

TEST(CommunicatorOnRanks, SumsInRankOrder) {
    on_several_ranks([](Communicator& communicator) {
        // In another order the small values would not be swallowed alike.
        const auto value = [](int rank) { return rank % 2 == 0 ? 1.0 + rank : 1e17 / (rank + 1.0); };
        double expected = value(0);
        for (int rank = 1; rank < communicator.size(); ++rank) {
            expected += value(rank);
        }
        std::array<double, 2> sums = {value(communicator.rank()), 1.0};
        communicator.sum(sums);
        EXPECT_THAT(sums, ElementsAre(expected, communicator.size()));
    });
}

TEST(CommunicatorOnRanks, BroadcastsFromAnyRank) {
    on_several_ranks([](Communicator& communicator) {
        for (int root = 0; root < communicator.size(); ++root) {
            std::array<std::byte, 3> bytes{};
            if (communicator.rank() == root) {
                bytes.fill(std::byte(root + 1));
            }
            communicator.broadcast(bytes, root);
            EXPECT_EQ(bytes[2], std::byte(root + 1));
        }
    });
}

TEST(CommunicatorOnRanks, SplitsIntoGroupsOrderedByKey) {
    on_several_ranks([](Communicator& communicator) {
        const int rank = communicator.rank();
        const auto group = communicator.split(rank % 2, -rank);
        const int members = (communicator.size() + (rank % 2 == 0 ? 1 : 0)) / 2;
        ASSERT_EQ(group->size(), members);
        EXPECT_EQ(group->rank(), members - 1 - rank / 2);
        std::array<double, 1> sum = {static_cast<double>(rank)};
        group->sum(sum);
        double expected = 0.0;
        for (int other = rank % 2; other < communicator.size(); other += 2) {
            expected += other;
        }
        EXPECT_EQ(sum[0], expected);
    });
}

TEST(CommunicatorOnRanks, KeepsTheOrderOfMessagesBetweenTwoRanks) {
    on_several_ranks([](Communicator& communicator) {
        const int next = (communicator.rank() + 1) % communicator.size();
        const int previous = (communicator.rank() + communicator.size() - 1) % communicator.size();
        if (next == communicator.rank()) {
            return;
        }
        const std::array<std::byte, 2> sent = {std::byte{1}, std::byte{2}};
        std::array<std::byte, 2> received{};
        const std::array<OutgoingMessage, 2> sends = {OutgoingMessage{next, std::span(sent).first(1)},
                                                      OutgoingMessage{next, std::span(sent).last(1)}};
        const std::array<IncomingMessage, 2> receives = {IncomingMessage{previous, std::span(received).first(1)},
                                                         IncomingMessage{previous, std::span(received).last(1)}};
        const Traffic before = communicator.traffic();
        communicator.start(sends, receives)->wait();
        EXPECT_EQ(received, sent);
        EXPECT_EQ(communicator.traffic().bytes - before.bytes, 2);
        EXPECT_EQ(communicator.traffic().messages - before.messages, 2);
    });
}

TEST(CommunicatorOnRanks, SendsAMessageAboveOneGibibyteWhole) {
    if (!is_launched() || ranks_of_job() != 2) {
        GTEST_SKIP() << "two ranks of a job take the 2 GiB that it needs";
    }
    on_ranks(2, [](Communicator& communicator) {
        constexpr std::size_t size = (std::size_t{1} << 30) + 12345;
        constexpr std::size_t step = 1048573;  // a prime: every place of a page has its turn
        const auto mark = [](std::size_t at) { return static_cast<std::byte>(1 + at / step % 251); };
        std::vector<std::byte> bytes(size);
        const Traffic before = communicator.traffic();
        if (communicator.rank() == 0) {
            for (std::size_t at = 0; at < size; at += step) {
                bytes[at] = mark(at);
            }
            bytes.back() = std::byte{77};
            const std::array<OutgoingMessage, 1> sends = {OutgoingMessage{1, bytes}};
            communicator.start(sends, {})->wait();
            EXPECT_EQ(communicator.traffic().bytes - before.bytes, static_cast<std::int64_t>(size));
            EXPECT_EQ(communicator.traffic().messages - before.messages, 2);
            return;
        }
        const std::array<IncomingMessage, 1> receives = {IncomingMessage{0, bytes}};
        communicator.start({}, receives)->wait();
        std::size_t wrong = 0;
        for (std::size_t at = 0; at < size; at += step) {
            wrong += bytes[at] == mark(at) ? 0U : 1U;
        }
        EXPECT_EQ(wrong, 0U);
        EXPECT_EQ(bytes.back(), std::byte{77});
    });
}

TEST(CommunicatorOnRanks, NamesARankThatDoesNotAnswer) {
    on_several_ranks([](Communicator& communicator) {
        communicator.barrier();
        const int last = communicator.size() - 1;
        std::array<std::byte, 1> byte{};
        if (communicator.rank() == 0 && last > 0) {
            communicator.set_timeout(std::chrono::milliseconds(50));
            const std::array<IncomingMessage, 1> receives = {IncomingMessage{last, byte}};
            const auto transfer = communicator.start({}, receives);
            try {
                transfer->wait();
                ADD_FAILURE() << "nobody had sent anything";
            } catch (const CommError& error) {
                EXPECT_THAT(error.what(), HasSubstr("no answer from rank " + std::to_string(last)));
            }
            communicator.set_timeout(std::chrono::seconds(20));
            communicator.broadcast(byte, 0);  // now it may, however long it takes
            while (!transfer->test()) {
                std::this_thread::yield();
            }
        } else if (last > 0) {
            communicator.broadcast(byte, 0);
            if (communicator.rank() == last) {
                const std::array<OutgoingMessage, 1> sends = {OutgoingMessage{0, byte}};
                communicator.start(sends, {})->wait();
            }
        }
    });
}

TEST(SelfCommunicator, IsTheOneRankCase) {
    const auto communicator = make_self_communicator();
    EXPECT_EQ(communicator->size(), 1);
    std::array<double, 1> value = {3.0};
    communicator->sum(value);
    EXPECT_EQ(value[0], 3.0);
    communicator->barrier();
    EXPECT_EQ(communicator->split(5, 5)->size(), 1);
    EXPECT_EQ(communicator->traffic(), Traffic{});
    const std::array<std::byte, 1> byte{};
    const std::array<OutgoingMessage, 1> sends = {OutgoingMessage{0, byte}};
    EXPECT_THROW(communicator->start(sends, {}), Error);
}

}  // namespace
}  // namespace plumecast::testing
