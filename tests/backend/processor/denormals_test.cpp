#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <plumecast/backend/backend.hpp>

#include "backend/cpu/processor/denormals.hpp"

namespace plumecast::testing {
namespace {

/// Whether this build's processor family can flush at all.
bool flushes() {
    const cpu::DenormalScope scope;
    volatile float half = std::numeric_limits<float>::min();
    half = half / 2.0f;
    return half == 0.0f;
}

TEST(Denormals, AreZeroInsideOpsAndKeptByTheCallerAfterwards) {
    const auto backend = make_cpu_backend({.threads = 1});
    const std::vector<float> tiny(4, std::numeric_limits<float>::denorm_min());
    const Tensor x = host_tensor<float>({4}, tiny);
    Tensor y = host_zeros({4});
    backend->add(1.0, x, {y});
    if (flushes()) {
        EXPECT_EQ(y.values<float>()[0], 0.0f);
    }
    volatile float own = std::numeric_limits<float>::min();
    own = own / 2.0f;
    EXPECT_GT(own, 0.0f);
}

}  // namespace
}  // namespace plumecast::testing
