#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backend/cuda/fallback.hpp"
#include "backend/cuda/vendor/refusal.hpp"

namespace plumecast::cuda {
namespace {

TEST(ChosenAlgorithms, AreNotTriedAgainOnceRefusedInExecution) {
    ChosenAlgorithms<int, int> algorithms;
    int asked = 0, executed = 0;
    const auto choose = [&] { return std::optional(++asked); };
    const auto refuse = [&](int) { return ++executed == 0; };
    EXPECT_TRUE(algorithms.has(7, choose));
    EXPECT_FALSE(algorithms.run(7, choose, refuse));
    EXPECT_FALSE(algorithms.run(7, choose, refuse));
    EXPECT_FALSE(algorithms.has(7, choose));
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(executed, 1);
    EXPECT_TRUE(algorithms.run(8, choose, [](int algorithm) { return algorithm == 2; })) << "another kind";
}

TEST(ChosenAlgorithms, AreAskedForOnceWhereThereIsNone) {
    ChosenAlgorithms<int, int> algorithms;
    int asked = 0;
    const auto none = [&] { return ++asked > 0 ? std::optional<int>() : std::optional(0); };
    EXPECT_FALSE(algorithms.run(7, none, [](int) { return true; }));
    EXPECT_FALSE(algorithms.has(7, none));
    EXPECT_EQ(asked, 1);
}

TEST(ChosenAlgorithms, TellRefusalsOfProductsFromFailures) {
    for (const int refused : {7, 8, 15}) {
        EXPECT_TRUE(is_refusal_of_products(refused)) << refused;
    }
    for (const int failed : {0, 1, 3, 11, 13, 14, 16}) {
        EXPECT_FALSE(is_refusal_of_products(failed)) << failed;
    }
}

TEST(Failures, AreWantOfMemoryOnlyWhereALibrarySaysSo) {
    for (int status = 0; status < 32; ++status) {
        EXPECT_EQ(is_want_of_memory_for_products(status), status == 3) << status;    // CUBLAS_STATUS_ALLOC_FAILED
        EXPECT_EQ(is_want_of_memory_for_transforms(status), status == 2) << status;  // CUFFT_ALLOC_FAILED
    }
    EXPECT_THROW(throw_failure("no room", true), OutOfMemory);
    try {
        throw_failure("a fault", false);
    } catch (const OutOfMemory&) {
        FAIL() << "a smaller batch would not mend it";
    } catch (const DeviceError& fault) {
        EXPECT_STREQ(fault.what(), "a fault");
    }
}

TEST(Refusal, IsToldFromFailures) {
    for (const int refused : {2000, 2003, 3000, 3003, 3009, 4000, 4001}) {
        EXPECT_TRUE(is_refusal(refused)) << refused;
    }
    for (const int failed : {0, 1001, 1008, 5000, 5003}) {
        EXPECT_FALSE(is_refusal(failed)) << failed;
    }
}

/// Three ways, of which some refuse, and what is heard of them.
class ThreeWays : public ::testing::Test {
   protected:
    bool run(int kind) {
        const auto take = [this](std::string way) {
            return [this, way] {
                tried_ += way;
                return refused_.find(way) == std::string::npos;
            };
        };
        return fallback_.run(kind, {{"library", take("l")}, {"parts", take("p")}, {"kernel", take("k")}},
                             [&] { return "kind " + std::to_string(kind); });
    }

    std::string tried_, refused_;
    std::vector<std::string> log_;
    Fallback<int> fallback_{[this](Severity, std::string_view text) { log_.emplace_back(text); }};
};

TEST_F(ThreeWays, AreNotTriedWhereTheFirstTakesTheWork) {
    EXPECT_TRUE(run(1) && run(1));
    EXPECT_EQ(tried_, "ll");
    EXPECT_THAT(log_, ::testing::IsEmpty());
}

TEST_F(ThreeWays, AreTriedOnceForAKindAndTheLogHearsWhichDoesIt) {
    refused_ = "lp";
    EXPECT_TRUE(run(1) && run(1) && run(1));
    EXPECT_EQ(tried_, "lpkkk");
    EXPECT_THAT(log_, ::testing::ElementsAre("library refuses kind 1; kernel does it"));
    refused_ = "l";
    EXPECT_TRUE(run(2) && run(1));
    EXPECT_EQ(tried_, "lpkkklpk");
    EXPECT_EQ(log_.size(), 2U);
}

TEST_F(ThreeWays, AreNamedOnceWhereManyThreadsFindThatTheFirstRefuses) {
    Fallback<int> fallback([this](Severity, std::string_view text) { log_.emplace_back(text); });
    std::barrier together(8);
    std::atomic<int> done = 0;
    const auto refuse = [&] {
        together.arrive_and_wait();  // nobody knows yet that another one is refused too
        return false;
    };
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 8; ++thread) {
            threads.emplace_back([&] {
                const Way first{"library", refuse}, second{"kernel", [&] { return ++done > 0; }};
                fallback.run(1, {first, second}, [] { return std::string("it"); });
            });
        }
    }
    EXPECT_EQ(done, 8);
    EXPECT_THAT(log_, ::testing::ElementsAre("library refuses it; kernel does it"));
}

TEST(ChosenAlgorithms, AreTheSameForEveryThread) {
    ChosenAlgorithms<int, int> algorithms;
    int asked = 0;
    std::atomic<int> same = 0;
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 8; ++thread) {
            threads.emplace_back([&] {
                algorithms.run(
                    7, [&] { return std::optional(++asked); }, [&](int algorithm) { return same += algorithm, true; });
            });
        }
    }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(same, 8);
}

TEST_F(ThreeWays, AreAllRefusedOnlyWhereNoneTakesTheWork) {
    refused_ = "lpk";
    EXPECT_FALSE(run(1) || run(1));
    EXPECT_EQ(tried_, "lpk");
    EXPECT_THAT(log_, ::testing::ElementsAre("library refuses kind 1; nothing else does it"));
}

}  // namespace
}  // namespace plumecast::cuda
