#include <atomic>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/batches/prefetcher.hpp"

namespace plumecast {
namespace {

// Fails at case 5; counts what was loaded.
class CountingSource : public BatchSource {
   public:
    std::int64_t cases() const override { return 10; }
    Shape extents() const override { return {1, 1, 1}; }
    std::vector<std::string> channels() const override { return {}; }
    Batch load(std::span<const std::int64_t> cases) const override {
        ++loaded;
        if (cases[0] == 5) {
            throw InvalidData("case 5 is broken");
        }
        Batch batch;
        batch.cases.assign(cases.begin(), cases.end());
        return batch;
    }
    mutable std::atomic<int> loaded = 0;
};

TEST(Prefetcher, KeepsTheOrderAndEnds) {
    const CountingSource source;
    Prefetcher prefetcher(source, {{3, 4}, {1}, {2}});
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{3, 4}));
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{1}));
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{2}));
    EXPECT_FALSE(prefetcher.next().has_value());
    EXPECT_FALSE(prefetcher.next().has_value());
}

TEST(Prefetcher, ThrowsWhereTheFailedBatchWouldCome) {
    const CountingSource source;
    Prefetcher prefetcher(source, {{1}, {5}, {2}});
    EXPECT_TRUE(prefetcher.next().has_value());
    EXPECT_THROW(prefetcher.next(), InvalidData);
    EXPECT_FALSE(prefetcher.next().has_value());
}

TEST(Prefetcher, StopsWhenDestroyedEarlyAndNeverRunsFarAhead) {
    const CountingSource source;
    {
        Prefetcher prefetcher(source, std::vector<std::vector<std::int64_t>>(1000, {1}), 2);
        prefetcher.next();
    }
    EXPECT_LE(source.loaded, 4);
}

TEST(Prefetcher, LoadsEachBatchFromItsSource) {
    const CountingSource first, second;
    Prefetcher prefetcher({{&first, {3, 4}}, {&second, {1}}, {&second, {2}}});
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{3, 4}));
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{1}));
    EXPECT_EQ(prefetcher.next()->cases, (std::vector<std::int64_t>{2}));
    EXPECT_FALSE(prefetcher.next().has_value());
    EXPECT_EQ(first.loaded, 1);
    EXPECT_EQ(second.loaded, 2);
}

TEST(Prefetcher, EndsAtOnceWithoutBatches) {
    const CountingSource source;
    Prefetcher prefetcher(source, {});
    EXPECT_FALSE(prefetcher.next().has_value());
}

}  // namespace
}  // namespace plumecast
