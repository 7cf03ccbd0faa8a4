#include "data/generator/agenda.hpp"

#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast::testing {
namespace {

/// Numbers of the cases that finish when every third number is rejected.
std::set<std::int64_t> finished_by(int threads, std::int64_t wanted) {
    Agenda agenda(wanted, {}, {});
    std::mutex mutex;
    std::set<std::int64_t> finished;
    const auto work = [&] {
        while (const auto number = agenda.take()) {
            std::this_thread::sleep_for(std::chrono::microseconds(*number * 37 % 11 * 50));
            if (*number % 3 == 0) {
                agenda.reject({*number, Rejection::mass_balance, ""});
                continue;
            }
            {
                const std::lock_guard guard(mutex);
                finished.insert(*number);
            }
            agenda.finish();
        }
    };
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) {
        workers.emplace_back(work);
    }
    workers.clear();
    return finished;
}

TEST(Agenda, FinishesTheSameCasesForAnyNumberOfThreads) {
    const std::set<std::int64_t> expected = {1, 2, 4, 5, 7, 8, 10, 11, 13, 14};
    for (const int threads : {1, 2, 5, 16}) {
        EXPECT_EQ(finished_by(threads, 10), expected) << threads;
    }
}

TEST(Agenda, LeavesOutWhatEarlierRunsFinishedOrRejected) {
    const std::vector<std::int64_t> finished = {0, 3};
    Agenda agenda(4, finished, {{1, Rejection::injection}});
    EXPECT_EQ(agenda.take(), 2);
    EXPECT_EQ(agenda.take(), 4);
    agenda.finish();
    agenda.finish();
    EXPECT_EQ(agenda.take(), std::nullopt);
    EXPECT_EQ(agenda.report().finished, 4);
    EXPECT_TRUE(agenda.report().is_complete);
    EXPECT_EQ(agenda.report().rejected.at(Rejection::injection), 1);
}

TEST(Agenda, HandsOutNothingAfterStopOrFailure) {
    Agenda stopped(4, {}, {});
    stopped.stop();
    EXPECT_EQ(stopped.take(), std::nullopt);
    EXPECT_TRUE(stopped.should_stop());
    EXPECT_FALSE(stopped.report().is_complete);
    Agenda failed(4, {}, {});
    failed.fail(std::make_exception_ptr(IoError("disk")));
    EXPECT_EQ(failed.take(), std::nullopt);
    EXPECT_THROW(failed.rethrow(), IoError);
}

TEST(Agenda, GivesUpWhenNearlyEverythingIsRejected) {
    Agenda agenda(1, {}, {});
    for (int i = 0; i < 100 && !agenda.should_stop(); ++i) {
        agenda.reject({*agenda.take(), Rejection::time_limit, ""});
    }
    EXPECT_THROW(agenda.rethrow(), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
