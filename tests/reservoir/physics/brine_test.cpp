
#include <gtest/gtest.h>

#include "reservoir/physics/brine.hpp"

namespace plumecast {
namespace {

struct State {
    double pressure, temperature, density;
};

TEST(WaterDensity, AgreesWithTheReferenceEquationWithinTenThousandths) {
    // Values of IAPWS-95.
    constexpr State states[] = {{100, 25, 1001.47}, {100, 50, 992.31}, {200, 80, 980.49}, {300, 125, 953.50}};
    for (const State& state : states) {
        EXPECT_NEAR(water_density(state.pressure, state.temperature) / state.density, 1.0, 1e-3);
    }
}

TEST(Hydrostatics, DepthAndPressureBelongTogether) {
    const double depth = hydrostatic_depth(150.0, 60.0);
    EXPECT_NEAR(depth, 1530.0, 30.0);
    EXPECT_NEAR(hydrostatic_pressure(150.0, 60.0, 100.0) - 150.0, 9.7, 0.1);
}

TEST(DissolvedCo2Density, IsThatOfAMolarVolumeOf35CubicCentimetresAt60Degrees) {
    EXPECT_NEAR(dissolved_co2_density(60.0), 44.0095 / 34.8 * 1e3, 5.0);
    EXPECT_NEAR(dissolved_co2_density(120.0), 44.0095 / 37.7 * 1e3, 5.0);
}

TEST(WaterViscosity, AgreesWithTheReferenceWithinTenPercent) {
    // IAPWS 2008 at 200 bar: degC, cP.
    constexpr double reference[][2] = {{25, 0.88791}, {60, 0.47087}, {90, 0.31954}, {122, 0.23312}};
    for (const auto& [temperature, viscosity] : reference) {
        EXPECT_NEAR(water_viscosity(temperature) / viscosity, 1.0, 0.1) << temperature;
    }
}

TEST(WaterCompressibility, AgreesWithTheReferenceWithinOnePercent) {
    // IAPWS-95 over 50 bar: bar, degC, 1/bar.
    constexpr double reference[][3] = {{100, 35, 4.310e-5}, {200, 60, 4.194e-5}, {300, 100, 4.426e-5}};
    for (const auto& [pressure, temperature, compressibility] : reference) {
        EXPECT_NEAR(water_compressibility(pressure, temperature) / compressibility, 1.0, 0.01) << temperature;
    }
}

}  // namespace
}  // namespace plumecast
