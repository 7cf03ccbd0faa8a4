#include "core/machine/in_order.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;

/// Later numbers are made sooner.
std::int64_t square_after_a_while(std::int64_t i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * (3 - i % 4)));
    return i * i;
}

TEST(InOrder, HandsResultsOnInTheirOrderWhateverThreadsMakeThem) {
    for (const int threads : {0, 1, 3, 20}) {
        std::vector<std::int64_t> taken;
        EXPECT_TRUE(in_order(6, threads, square_after_a_while, [&](std::int64_t i, std::int64_t square) {
            EXPECT_EQ(square, i * i);
            taken.push_back(i);
            return true;
        }));
        EXPECT_THAT(taken, ElementsAre(0, 1, 2, 3, 4, 5)) << threads << " threads";
    }
}

TEST(InOrder, AsksThisThreadWhileItWaits) {
    std::atomic<bool> stops = false;
    const auto caller = std::this_thread::get_id();
    const auto until_stopped = [&](std::int64_t i) {
        const auto start = std::chrono::steady_clock::now();
        while (!stops && std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return i;
    };
    EXPECT_TRUE(in_order(
        2, 2, until_stopped, [](std::int64_t, std::int64_t) { return true; },
        [&] {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            stops = true;
        }));
    EXPECT_TRUE(stops);
}

TEST(InOrder, MakesFewResultsAheadOfThoseTaken) {
    std::atomic<std::int64_t> made = 0;
    const auto make = [&](std::int64_t i) {
        ++made;
        return i;
    };
    EXPECT_TRUE(in_order(40, 2, make, [&](std::int64_t i, std::int64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_LE(made, i + 1 + 4);
        return true;
    }));
    EXPECT_EQ(made, 40);
}

TEST(InOrder, EndsWhereTheTakerSaysSo) {
    std::atomic<std::int64_t> made = 0;
    const auto make = [&](std::int64_t i) {
        ++made;
        return std::to_string(i);
    };
    EXPECT_FALSE(in_order(1000, 3, make, [](std::int64_t i, const std::string&) { return i < 4; }));
    EXPECT_LE(made, 5 + 6);
}

TEST(InOrder, ThrowsTheFirstFailureByNumberAfterTakingWhatCameBefore) {
    std::vector<std::int64_t> taken;
    const auto make = [](std::int64_t i) {
        if (i == 2) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        if (i >= 2) {
            throw std::runtime_error("number " + std::to_string(i));
        }
        return i;
    };
    const auto take = [&](std::int64_t i, std::int64_t) {
        taken.push_back(i);
        return true;
    };
    try {
        in_order(9, 4, make, take);
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "number 2");
    }
    EXPECT_THAT(taken, ElementsAre(0, 1));
}

TEST(InOrder, DoesNothingWithoutNumbers) {
    const auto make = [](std::int64_t i) { return i; };
    EXPECT_TRUE(in_order(0, 2, make, [](std::int64_t, std::int64_t) { return false; }));
}

}  // namespace
}  // namespace plumecast::testing
