
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <vector>

#include "core/write_behind.hpp"

namespace plumecast::testing {
namespace {

TEST(WriteBehind, DoesEverythingInOrder) {
    std::vector<int> done;
    WriteBehind behind(3);
    for (int i = 0; i < 50; ++i) {
        behind.add([&done, i] { done.push_back(i); });
    }
    behind.finish();
    ASSERT_EQ(done.size(), 50u);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
    }
}

TEST(WriteBehind, LetsTheCallerGoOnMeanwhile) {
    std::promise<void> allowed;
    bool is_done = false;
    WriteBehind behind;
    behind.add([&, gate = allowed.get_future().share()] {
        gate.wait();
        is_done = true;
    });
    allowed.set_value();  // would never come if add() waited for the work
    behind.finish();
    EXPECT_TRUE(is_done);
}

TEST(WriteBehind, HandsOnWhatWorkThrewAndStops) {
    WriteBehind behind(4);
    std::atomic<int> later = 0;
    behind.add([] { throw std::runtime_error("disk full"); });
    EXPECT_THROW(behind.finish(), std::runtime_error);
    EXPECT_THROW(behind.add([&] { ++later; }), std::runtime_error);
    EXPECT_THROW(behind.finish(), std::runtime_error);
    EXPECT_EQ(later, 0);
}

TEST(WriteBehind, DropsWhatWaitsBehindAFailure) {
    std::promise<void> allowed;
    std::atomic<int> later = 0;
    WriteBehind behind(4);
    behind.add([gate = allowed.get_future().share()] {
        gate.wait();
        throw std::runtime_error("disk full");
    });
    for (int i = 0; i < 3; ++i) {
        behind.add([&] { ++later; });
    }
    allowed.set_value();
    EXPECT_THROW(behind.finish(), std::runtime_error);
    EXPECT_EQ(later, 0);
}

TEST(WriteBehind, DropsWhatHasNotBegunWhenItEnds) {
    std::promise<void> begun, allowed;
    std::atomic<int> done = 0;
    {
        WriteBehind behind(4);
        behind.add([&, gate = allowed.get_future().share()] {
            begun.set_value();
            gate.wait();
            ++done;
        });
        begun.get_future().wait();
        behind.add([&] { done += 100; });
        std::jthread release([&] { allowed.set_value(); });
        // Destroyed here, while the first piece may still be at work.
    }
    EXPECT_TRUE(done == 1 || done == 101) << done;
}

}  // namespace
}  // namespace plumecast::testing
