
#include <gtest/gtest.h>

#include "reservoir/physics/co2_viscosity.hpp"

namespace plumecast {
namespace {

TEST(Co2Viscosity, AgreesWithTheReferenceWithinThreePercent) {
    // Density [kg/m3] and viscosity [cP] of CoolProp 7 (Span and Wagner 1996; Laesecke and Muzny 2017).
    struct State {
        double density, temperature, viscosity;
    };
    constexpr State states[] = {{384.327, 50, 0.027791},
                                {723.682, 60, 0.060452},
                                {745.605, 80, 0.064432},
                                {270.737, 125, 0.025970},
                                {879.486, 40, 0.087857}};
    for (const State& state : states) {
        EXPECT_NEAR(co2_viscosity(state.density, state.temperature) / state.viscosity, 1.0, 0.03)
            << state.density << " kg/m3, " << state.temperature << " degC";
    }
}

}  // namespace
}  // namespace plumecast
