#include <gtest/gtest.h>

#include "integration/golden_case.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// The same network in double precision, to the last digits: what is left in float32 is rounding.
TEST(GoldenOracle, OutputGradientsAndBuffersEqualPyTorchsInDoublePrecision) {
    constexpr double tolerance = 1e-9;
    const auto backend = make_oracle_backend();
    for (const char* stem : {"conv_fno_small", "ufno_small"}) {
        SCOPED_TRACE(stem);
        GoldenCase golden(*backend, stem);
        const double loss = golden.forward_backward();
        EXPECT_NEAR(loss / golden.reference("adam_losses", {6}).values<double>()[0], 1.0, tolerance);
        golden.expect_gradients(tolerance);
        golden.expect_buffers(tolerance);
    }
}

}  // namespace
}  // namespace plumecast::testing
