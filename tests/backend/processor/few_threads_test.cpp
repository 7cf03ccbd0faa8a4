#include "support/limits/few_threads.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>

namespace plumecast::testing {
namespace {

/// Threads that a backend takes where the system starts up to `allowed`; 0 where it refuses `wanted`.
int threads_taken(int wanted, rlim_t allowed) {
    return exit_status_with_threads(allowed, [wanted] {
        try {
            return make_cpu_backend({.threads = wanted})->host_threads();
        } catch (const InvalidInput& error) {
            const std::string message = error.what();
            return message.starts_with("8 threads are too many (") &&
                           message.find("give CpuOptions::threads ") < message.size()
                       ? 0
                       : -2;
        }
    });
}

TEST(FewThreads, AreSharedOutBeforeOpenMpAsksForThem) {
    if (threads_taken(1, 100) == no_limit_to_be_had) {
        GTEST_SKIP() << "only root may take the place of a user without other processes";
    }
    EXPECT_EQ(threads_taken(1, 1), 1);
    EXPECT_EQ(threads_taken(8, 100), 8);
    EXPECT_EQ(threads_taken(8, 21), 8);
    EXPECT_EQ(threads_taken(8, 20), 0);
    EXPECT_EQ(threads_taken(0, 2), 1);
    EXPECT_EQ(threads_taken(0, 100), make_cpu_backend()->host_threads());
}

}  // namespace
}  // namespace plumecast::testing
