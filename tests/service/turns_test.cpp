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

TEST(Turns, LetsOneWaitForWorkInTheBackgroundThoughThereIsNoPlaceToWait) {
    Turns turns(1, 0);
    std::optional<Turns::Turn> last(turns.take_last([] { return false; }));
    ASSERT_TRUE(last->is_taken());
    std::atomic<bool> is_taken = false;
    std::thread other([&] { is_taken = turns.take([] { return false; }).is_taken(); });
    while (turns.waiting() == 0) {
        std::this_thread::yield();
    }
    EXPECT_FALSE(turns.take([] { return false; }).is_taken());  // the place is taken
    last.reset();
    other.join();
    EXPECT_TRUE(is_taken);
    const Turns::Turn another = turns.take([] { return false; });
    EXPECT_FALSE(turns.take([] { return false; }).is_taken());
}

TEST(Turns, GivesUpWaitingWhenAskedTo) {
    Turns turns(1, 1);
    const Turns::Turn first = turns.take([] { return false; });
    EXPECT_FALSE(turns.take([] { return true; }).is_taken());
    EXPECT_EQ(turns.waiting(), 0);
}

TEST(Turns, LetsWorkInTheBackgroundWaitForAll) {
    Turns turns(1, 10);
    std::optional<Turns::Turn> first(turns.take([] { return false; }));
    std::atomic<int> order = 0, of_last = 0, of_other = 0;
    std::thread last([&] {
        const Turns::Turn turn = turns.take_last([] { return false; });
        of_last = ++order;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // so that it waits for longer
    std::thread other([&] {
        const Turns::Turn turn = turns.take([] { return false; });
        of_other = ++order;
    });
    while (turns.waiting() == 0) {
        std::this_thread::yield();
    }
    first.reset();
    last.join();
    other.join();
    EXPECT_EQ(of_other, 1);
    EXPECT_EQ(of_last, 2);
    first.emplace(turns.take([] { return false; }));
    EXPECT_FALSE(turns.take_last([] { return true; }).is_taken());
}

}  // namespace
}  // namespace plumecast::service
