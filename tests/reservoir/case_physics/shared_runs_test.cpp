#include "reservoir/case_physics/shared_runs.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

PhysicsFields numbered(double number) {
    PhysicsFields fields;
    fields.scalars["number"] = number;
    return fields;
}

/// Numbers its runs from 1 on.
struct Counted {
    explicit Counted(std::size_t kept = 3) : shared(kept) {}

    double run(std::int64_t which, RunTimes times) {
        return shared.run(which, times, [this] { return numbered(++computed); }).get().scalars.at("number");
    }

    SharedRuns shared;
    std::atomic<int> computed = 0;
};

TEST(SharedRuns, ComputeOnceForBoth) {
    Counted runs;
    EXPECT_EQ(runs.run(5, RunTimes::of_dataset), 1.0);
    EXPECT_EQ(runs.run(7, RunTimes::others), 2.0);
    EXPECT_EQ(runs.shared.waiting(), 2U);
    EXPECT_EQ(runs.run(5, RunTimes::others), 1.0);
    EXPECT_EQ(runs.run(7, RunTimes::of_dataset), 2.0);
    EXPECT_EQ(runs.shared.waiting(), 0U);
    EXPECT_EQ(runs.run(5, RunTimes::others), 3.0);  // anew, as it was let go of
}

TEST(SharedRuns, ComputeAgainForWhoAsksTwice) {
    Counted runs;
    EXPECT_EQ(runs.run(5, RunTimes::of_dataset), 1.0);
    EXPECT_EQ(runs.run(5, RunTimes::of_dataset), 2.0);
    EXPECT_EQ(runs.run(5, RunTimes::others), 1.0);
    EXPECT_EQ(runs.run(5, RunTimes::others), 2.0);
}

TEST(SharedRuns, LetGoOfTheOldestThatTheOtherDoesNotAskFor) {
    Counted runs;
    for (const std::int64_t which : {1, 2, 3, 4, 5}) {
        runs.run(which, RunTimes::of_dataset);
    }
    EXPECT_EQ(runs.shared.waiting(), 3U);
    EXPECT_EQ(runs.run(5, RunTimes::others), 5.0);
    EXPECT_EQ(runs.run(1, RunTimes::others), 6.0);
}

TEST(SharedRuns, AreForgotten) {
    Counted runs;
    EXPECT_EQ(runs.run(5, RunTimes::of_dataset), 1.0);
    runs.shared.forget();
    EXPECT_EQ(runs.shared.waiting(), 0U);
    EXPECT_EQ(runs.run(5, RunTimes::others), 2.0);
}

TEST(SharedRuns, FailForBoth) {
    SharedRuns shared(3);
    const auto fail = [&](RunTimes times) {
        return shared.run(1, times, []() -> PhysicsFields { throw NotConverged("case 1"); });
    };
    EXPECT_THROW(fail(RunTimes::others).get(), NotConverged);
    const SharedRuns::Run other = shared.run(1, RunTimes::of_dataset, [] { return numbered(1.0); });
    EXPECT_THROW(other.get(), NotConverged);
    EXPECT_EQ(shared.run(1, RunTimes::of_dataset, [] { return numbered(2.0); }).get().scalars.at("number"), 2.0);
}

TEST(SharedRuns, ComputeEachOnceForTwoThreads) {
    constexpr std::int64_t cases = 200;
    Counted runs(cases);
    std::vector<double> first(cases), second(cases);
    const auto ask = [&](RunTimes times, std::vector<double>& found) {
        for (std::int64_t which = 0; which < cases; ++which) {
            found[static_cast<std::size_t>(which)] = runs.run(which, times);
        }
    };
    std::thread other([&] { ask(RunTimes::others, second); });
    ask(RunTimes::of_dataset, first);
    other.join();
    EXPECT_EQ(first, second);
    EXPECT_EQ(runs.computed, cases);
}

}  // namespace
}  // namespace plumecast
