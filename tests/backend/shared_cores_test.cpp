#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>

#include <plumecast/backend/backend.hpp>

namespace plumecast::testing {
namespace {

/// Of all threads of the process.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(SharedCores, AreNotKeptByThreadsThatWaitForTheNextOp) {
    constexpr int ops = 20;
    const auto backend = make_cpu_backend({.threads = 2});
    const auto sharing = backend->share_cores();
    ASSERT_NE(sharing, nullptr);
    Tensor values(backend->memory(), {1 << 20}, DType::float32);
    double used = 0.0;
    for (int op = 0; op < ops; ++op) {
        backend->fill(values, 1.0);
        const double before = processor_seconds();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        used += processor_seconds() - before;
    }
    EXPECT_LT(used, 0.3 * ops * 0.01) << "of 10 ms after each op, in which nothing is computed";
}

TEST(SharedCores, NeedNothingWhereAnOpHasOneThread) {
    EXPECT_EQ(make_cpu_backend({.threads = 1})->share_cores(), nullptr);
}

}  // namespace
}  // namespace plumecast::testing
