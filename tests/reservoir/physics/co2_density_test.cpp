#include <limits>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast {
namespace {

struct DensityState {
    double pressure, temperature, density;
};

TEST(Co2Density, AgreesWithTheReferenceEquationWithinHalfAPercent) {
    // Values of the reference equation of Span and Wagner (1996): gas, liquid and supercritical.
    constexpr DensityState states[] = {{1, 25, 1.7838},    {40, 25, 93.349},    {70, 25, 743.03},
                                       {80, 31, 679.73},   {100, 50, 384.327},  {150, 50, 699.753},
                                       {200, 80, 593.891}, {150, 125, 270.737}, {300, 170, 444.324}};
    for (const DensityState& state : states) {
        EXPECT_NEAR(co2_density(state.pressure, state.temperature) / state.density, 1.0, 5e-3)
            << state.pressure << " bar, " << state.temperature << " degC";
    }
}

TEST(Co2Density, GrowsWithPressureAcrossTheVapourPressure) {
    // 64.3 bar is the vapour pressure at 25 degC.
    EXPECT_LT(co2_density(64.0, 25.0), 300.0);
    EXPECT_GT(co2_density(65.0, 25.0), 600.0);
}

TEST(Co2Density, IsTheSameFromADensityNearbyOfEitherPhaseOrOfNone) {
    for (const double temperature : {15.0, 30.0, 45.0, 120.0}) {
        for (const double pressure : {1.0, 45.0, 60.0, 74.0, 90.0, 300.0}) {
            const double density = co2_density(pressure, temperature);
            for (const double nearby :
                 {0.999 * density, 1.1 * density, 50.0, 900.0, std::numeric_limits<double>::quiet_NaN()}) {
                EXPECT_NEAR(co2_density_near(pressure, temperature, nearby), density, 1e-10 * density)
                    << pressure << " bar, " << temperature << " degC, from " << nearby;
            }
        }
    }
    EXPECT_THROW(co2_density_near(1001.0, 50.0, 900.0), InvalidInput);
}

TEST(Co2Density, RefusesStatesOutsideItsRange) {
    EXPECT_THROW(co2_density(-1.0, 50.0), InvalidInput);
    EXPECT_THROW(co2_density(100.0, 500.0), InvalidInput);
}

TEST(Co2DensityTable, InterpolatesTheDensity) {
    const Co2DensityTable table(45.0, 80.0, 200.0);
    EXPECT_NEAR(table.at(123.4) / co2_density(123.4, 45.0), 1.0, 1e-4);
    EXPECT_DOUBLE_EQ(table.at(10.0), co2_density(80.0, 45.0));
}

TEST(Co2DensityTable, HasTheDensityAtItsPoints) {
    constexpr double low = 1.0, step = 999.0 / 512.0;
    for (const double temperature : {2.0, 25.0, 30.9, 31.0, 32.0, 60.0, 150.0, 390.0}) {
        const Co2DensityTable table(temperature, low, 1000.0);
        for (int i = 0; i <= 512; ++i) {
            const double pressure = low + step * i, density = co2_density(pressure, temperature);
            EXPECT_NEAR(table.at(pressure), density, 1e-9 * density) << temperature << " degC, " << pressure << " bar";
        }
    }
}

}  // namespace
}  // namespace plumecast
