
#include <atomic>
#include <cerrno>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "core/machine/threads.hpp"
#include "support/limits/few_threads.hpp"

namespace plumecast::testing {
namespace {

TEST(Threads, HelpersAndWorkersAreAsManyAsAskedFor) {
    std::atomic<int> done = 0;
    {
        EXPECT_TRUE(start_helpers(0, [&] { ++done; }).empty());
        EXPECT_EQ(start_helpers(3, [&] { ++done; }).size(), 3U);
        EXPECT_EQ(start_workers(2, [&] { done += 10; }).size(), 2U);
    }
    EXPECT_EQ(done, 23);
}

TEST(Threads, AreCountedAndEnd) {
    EXPECT_EQ(startable_threads(0), 0);
    EXPECT_EQ(startable_threads(5), 5);
    EXPECT_EQ(startable_threads(5), 5);
}

TEST(Threads, ThatTheSystemRefusesAreNamed) {
    try {
        throw_no_thread(std::system_error(EAGAIN, std::generic_category()));
        FAIL() << "nothing was thrown";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(),
                    ::testing::HasSubstr("cannot start a thread (Resource temporarily unavailable); use"));
    }
}

TEST(Threads, HelpersAreFewerAndWorkersOneWhereTheSystemRefusesMore) {
    const int status = exit_status_with_threads(4, [] {
        std::atomic<bool> may_end = false;
        const auto wait = [&] { may_end.wait(false); };
        const auto helpers = start_helpers(10, wait);
        int failed = helpers.size() == 3 ? 0 : 1;  // the process itself counts
        try {
            start_workers(1, wait);
            failed += 2;
        } catch (const DeviceError&) {
        }
        may_end = true;
        may_end.notify_all();
        return failed;
    });
    if (status == no_limit_to_be_had) {
        GTEST_SKIP() << "only root may take the place of a user without other processes";
    }
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace plumecast::testing
