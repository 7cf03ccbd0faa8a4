#include "reservoir/generation/work_queue.hpp"

#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast::testing {
namespace {

/// Numbers of the cases that finish when every fifth number is rejected as drawn and every seventh after its
/// simulation.
std::set<std::int64_t> finished_by(int threads, std::int64_t wanted, std::size_t window, std::int64_t factor = 0) {
    WorkQueue queue(wanted, {}, {}, window);
    std::mutex mutex;
    std::set<std::int64_t> finished;
    const auto end = [&](const CaseTask& task) {
        if (task.number % (task.is_drawn ? 7 : 5) == 0) {
            queue.reject({task.number, Rejection::mass_balance, ""});
        } else if (!task.is_drawn) {
            queue.hold(task.number, static_cast<double>(task.number * factor % 10));
        } else {
            {
                const std::lock_guard guard(mutex);
                finished.insert(task.number);
            }
            queue.finish();
        }
    };
    const auto work = [&] {
        while (const auto task = queue.take()) {
            std::this_thread::sleep_for(std::chrono::microseconds(task->number * 37 % 11 * 50));
            end(*task);
        }
    };
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) {
        workers.emplace_back(work);
    }
    workers.clear();
    return finished;
}

/// Draws until a case is to be simulated; the number is its work unless another one is given.
std::int64_t next_to_simulate(WorkQueue& queue, const std::map<std::int64_t, double>& work = {}) {
    for (;;) {
        const CaseTask task = queue.take().value();
        if (task.is_drawn) {
            return task.number;
        }
        queue.hold(task.number, work.empty() ? static_cast<double>(task.number) : work.at(task.number));
    }
}

TEST(WorkQueue, FinishesTheSameCasesForAnyNumberOfThreadsAndAnyOrder) {
    const std::set<std::int64_t> expected = {1, 2, 3, 4, 6, 8, 9, 11, 12, 13};
    for (const int threads : {1, 2, 5, 16}) {
        for (const std::size_t window : {1, 3, 100}) {
            for (const std::int64_t factor : {0, 1, 7, -1}) {
                EXPECT_EQ(finished_by(threads, 10, window, factor), expected)
                    << threads << ' ' << window << ' ' << factor;
            }
        }
    }
}

TEST(WorkQueue, SimulatesTheLongestOfTheNextCasesFirst) {
    const std::map<std::int64_t, double> work = {{0, 1}, {1, 5}, {2, 2}, {3, 9}, {4, 2}, {5, 0}};
    WorkQueue queue(6, {}, {}, 3);
    std::vector<std::int64_t> order;
    for (int i = 0; i < 6; ++i) {
        order.push_back(next_to_simulate(queue, work));
    }
    EXPECT_EQ(order, (std::vector<std::int64_t>{1, 3, 2, 4, 0, 5}));
}

TEST(WorkQueue, DrawsNoCaseThatIsNotNeededIfAllPass) {
    WorkQueue queue(2, {}, {}, 8);
    EXPECT_EQ(next_to_simulate(queue), 1);
    EXPECT_EQ(next_to_simulate(queue), 0);
    queue.reject({1, Rejection::injection, ""});
    EXPECT_EQ(queue.take(), (CaseTask{2, false}));
}

TEST(WorkQueue, LeavesOutWhatEarlierRunsFinishedOrRejected) {
    const std::vector<std::int64_t> finished = {0, 3};
    WorkQueue queue(4, finished, {{1, Rejection::injection}});
    EXPECT_EQ(next_to_simulate(queue), 2);
    EXPECT_EQ(next_to_simulate(queue), 4);
    queue.finish();
    queue.finish();
    EXPECT_EQ(queue.take(), std::nullopt);
    EXPECT_EQ(queue.report().finished, 4);
    EXPECT_TRUE(queue.report().is_complete);
    EXPECT_EQ(queue.report().rejected.at(Rejection::injection), 1);
}

TEST(WorkQueue, HandsOutGivenCasesOnceHoweverManyAreRejected) {
    const std::vector<std::int64_t> finished = {0};
    WorkQueue queue = WorkQueue::of_given(4, finished, {{2, Rejection::injection}}, 8);
    EXPECT_EQ(next_to_simulate(queue), 3);
    EXPECT_EQ(next_to_simulate(queue), 1);
    queue.reject({3, Rejection::mass_balance, ""});
    EXPECT_FALSE(queue.report().is_complete);
    queue.finish();
    EXPECT_EQ(queue.take(), std::nullopt);
    EXPECT_TRUE(queue.report().is_complete);
    EXPECT_EQ(queue.report().finished, 2);
    EXPECT_EQ(queue.progress().seconds_left, 0.0);
}

TEST(WorkQueue, HandsOutNothingAfterStopOrFailure) {
    WorkQueue stopped(4, {}, {});
    stopped.stop();
    EXPECT_EQ(stopped.take(), std::nullopt);
    EXPECT_TRUE(stopped.should_stop());
    EXPECT_FALSE(stopped.report().is_complete);
    WorkQueue failed(4, {}, {});
    failed.fail(std::make_exception_ptr(IoError("disk")));
    EXPECT_EQ(failed.take(), std::nullopt);
    EXPECT_THROW(failed.rethrow(), IoError);
}

TEST(WorkQueue, GivesUpWhenNearlyEverythingIsRejected) {
    WorkQueue queue(1, {}, {});
    for (int i = 0; i < 100 && !queue.should_stop(); ++i) {
        queue.reject({queue.take()->number, Rejection::time_limit, ""});
    }
    EXPECT_THROW(queue.rethrow(), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
