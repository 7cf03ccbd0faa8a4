#include "reservoir/physics/two_phase/adjoint/local_adjoint.hpp"

#include <gtest/gtest.h>

namespace plumecast::two_phase {
namespace {

TEST(LocalAdjoint, AddsTheCotangentsOfWhatAFunctionDependsOn) {
    double by_a = 1.0, by_b = 2.0;
    LocalAdjoint<3> on;
    const Dual<3> a = on(3.0, by_a), b = on(5.0, by_b), again = on(5.0, by_b);
    on.add(10.0 * (a * b) + again);
    EXPECT_DOUBLE_EQ(by_a, 1.0 + 50.0);
    EXPECT_DOUBLE_EQ(by_b, 2.0 + 30.0 + 1.0);
}

TEST(LocalAdjoint, TakesNoMoreNumbersThanItHasPlacesFor) {
    double cotangent = 0.0;
    LocalAdjoint<1> on;
    on(1.0, cotangent);
    EXPECT_THROW(on(2.0, cotangent), Error);
}

}  // namespace
}  // namespace plumecast::two_phase
