#include "service/turns.hpp"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace plumecast::service {
namespace {

TEST(Turns, LetsNoMoreComputeAtOnceThanThereAreTurns) {
    Turns turns(2, 100);
    std::atomic<int> computing = 0, most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            const Turns::Turn turn = turns.take([] { return false; });
            const int now = ++computing;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            --computing;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_LE(most, 2);
    EXPECT_GE(most, 1);
}

TEST(Turns, RefusesWhereThereIsNoPlaceToWait) {
    Turns turns(1, 0);
    std::optional<Turns::Turn> first(turns.take([] { return false; }));
    EXPECT_TRUE(first->is_taken());
    EXPECT_FALSE(turns.take([] { return false; }).is_taken());
    first.reset();
    EXPECT_TRUE(turns.take([] { return false; }).is_taken());
}

TEST(Turns, GivesUpWaitingWhenAskedTo) {
    Turns turns(1, 1);
    const Turns::Turn first = turns.take([] { return false; });
    EXPECT_FALSE(turns.take([] { return true; }).is_taken());
    EXPECT_EQ(turns.waiting(), 0);
}

}  // namespace
}  // namespace plumecast::service
