#include "reservoir/physics/upstream.hpp"

#include <gtest/gtest.h>

#include <random>

namespace plumecast {
namespace {

struct Flows {
    double gas, brine;
};

/// Flows of the phases of equation (6) in docs/physics.md.
Flows flows(const Mobilities& from, const Mobilities& to, double volume, double drive) {
    const Upstream leaves = upstream(from, to, volume, drive);
    const double gas = (leaves.gas ? from : to).gas, brine = (leaves.brine ? from : to).brine;
    const double of_gas = gas / (gas + brine) * (volume + brine * drive);
    return {of_gas, volume - of_gas};
}

/// Each phase comes from the cell that it leaves, which makes the choice the only one.
TEST(Upstream, IsWhereEachPhaseFlowsFrom) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> mobility(0.01, 10.0), signed_flow(-5.0, 5.0);
    int opposed = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Mobilities from{mobility(random), mobility(random)}, to{mobility(random), mobility(random)};
        const double volume = signed_flow(random), drive = signed_flow(random);
        const Upstream leaves = upstream(from, to, volume, drive);
        const auto [gas, brine] = flows(from, to, volume, drive);
        EXPECT_EQ(leaves.gas, gas > 0.0) << volume << " " << drive;
        EXPECT_EQ(leaves.brine, brine > 0.0) << volume << " " << drive;
        opposed += leaves.gas == leaves.brine ? 0 : 1;
    }
    EXPECT_GT(opposed, 1'000);
    EXPECT_LT(opposed, 9'000);
}

TEST(Upstream, ChangesSidesWhereAPhaseStandsStill) {
    const Mobilities from{2.0, 1.0}, to{0.5, 3.0};
    for (const double drive : {4.0, -4.0}) {
        const double stands = drive >= 0.0 ? from.gas * drive : -from.brine * drive;  // of the phase that may turn
        const Flows before = flows(from, to, stands * (1.0 - 1e-9), drive), after = flows(from, to, stands, drive);
        EXPECT_NEAR(before.gas, after.gas, 1e-7);
        EXPECT_NEAR(before.brine, after.brine, 1e-7);
    }
}

TEST(Upstream, IsTheOtherOneFromTheOtherSide) {
    const Mobilities one{2.0, 1.0}, other{0.5, 3.0};
    for (const double volume : {3.0, 0.3, -0.3, -3.0}) {
        for (const double drive : {1.0, -1.0}) {
            const Upstream here = upstream(one, other, volume, drive), there = upstream(other, one, -volume, -drive);
            EXPECT_NE(here.gas, there.gas);
            EXPECT_NE(here.brine, there.brine);
        }
    }
}

}  // namespace
}  // namespace plumecast
