#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast::testing {
namespace {

/// a [256, 256] of ones times itself, of which every entry is 256.
bool multiplies(Backend& backend) {
    Tensor a(backend.memory(), {256, 256}, DType::float32), c(backend.memory(), {256, 256}, DType::float32);
    backend.fill(a, 1.0);
    backend.gemm(false, false, a, a, OutputRef{c.view()}, {}, Activation::identity());
    Tensor host = host_zeros(c.shape());
    backend.download(c, host);
    for (const float value : host.values<float>()) {
        if (value != 256.0F) {
            return false;
        }
    }
    return true;
}

/// What becomes of work in a child made by fork: true when it ends with the right result, in time.
template <class Work>
bool succeeds_in_child(const Work& work) {
    constexpr unsigned seconds = 30;
    const pid_t child = fork();
    if (child == 0) {
        alarm(seconds);  // a child that hangs is ended by the signal
        _exit(work() ? 0 : 1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Fork, LeavesABackendThatComputesInTheChild) {
    const auto backend = make_cpu_backend({.threads = 2});
    ASSERT_TRUE(multiplies(*backend));
    EXPECT_EQ(backend->host_threads(), 2);
    EXPECT_TRUE(succeeds_in_child([&] { return backend->host_threads() == 1 && multiplies(*backend); }));
    EXPECT_TRUE(multiplies(*backend)) << "in the parent, as before";
}

TEST(Fork, LeavesABackendThatCanBeReleasedInTheChild) {
    auto backend = make_cpu_backend({.threads = 2});
    ASSERT_TRUE(multiplies(*backend));
    EXPECT_TRUE(succeeds_in_child([&] {
        backend.reset();
        const auto own = make_cpu_backend({.threads = 1});
        return multiplies(*own);
    }));
}

}  // namespace
}  // namespace plumecast::testing
