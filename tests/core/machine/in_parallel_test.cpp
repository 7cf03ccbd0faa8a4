#include "core/machine/in_parallel.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace plumecast::testing {
namespace {

TEST(InParallel, DoesEachPieceOnceOnAnyNumberOfThreads) {
    for (const std::size_t threads : {1U, 3U, 50U}) {
        std::vector<std::atomic<int>> done(20);
        EXPECT_TRUE(in_parallel(done.size(), threads, [&](std::size_t i) {
            ++done[i];
            return true;
        }));
        for (const std::atomic<int>& times : done) {
            EXPECT_EQ(times, 1) << threads << " threads";
        }
    }
}

TEST(InParallel, EndsWhereAPieceSaysSo) {
    std::vector<std::size_t> done;
    EXPECT_FALSE(in_parallel(9, 1, [&](std::size_t i) {
        done.push_back(i);
        return i < 3;
    }));
    EXPECT_THAT(done, ::testing::ElementsAre(0, 1, 2, 3));
}

TEST(InParallel, ThrowsTheFailureOfTheFirstPieceOfThoseThatFailed) {
    std::atomic<int> at_work = 0;
    const auto work = [&](std::size_t i) -> bool {
        ++at_work;
        while (at_work < 2) {  // until both have begun
            std::this_thread::yield();
        }
        throw std::runtime_error("piece " + std::to_string(i));
    };
    try {
        in_parallel(2, 2, work);
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "piece 0");
    }
}

TEST(InParallel, DoesNothingWithoutPieces) {
    EXPECT_TRUE(in_parallel(0, 4, [](std::size_t) { return false; }));
}

}  // namespace
}  // namespace plumecast::testing
