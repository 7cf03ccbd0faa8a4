
#include <cmath>
#include <vector>

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
    EXPECT_NEAR(hydrostatic_pressure(150.0, 60.0, 0.0, 100.0) - 150.0, 9.7, 0.1);
}

TEST(Hydrostatics, BrineThatGrowsWarmerIsAnIntegralOfItsWeight) {
    const std::vector<double> depths{0.0, 2.5, 600.0, 1200.0, 601.0};
    const std::vector<double> cold = pressures_of_warm_brine({200.0, 60.0, 0.0, 0.05}, depths);
    const double compressibility = brine_compressibility(200.0, 60.0, 0.05);
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const double weight = brine_density(200.0, 60.0, 0.05) * 9.80665e-5 * depths[i];
        EXPECT_NEAR(cold[i], 200.0 + std::expm1(weight * compressibility) / compressibility, 1e-3);
    }
    const std::vector<double> warm = pressures_of_warm_brine({200.0, 40.0, 0.025, 0.05}, depths);
    double pressure = 200.0;
    for (int i = 0; i < 12000; ++i) {  // steps of 10 cm
        const double temperature = 40.0 + 0.025 * (0.1 * i + 0.05);
        const double strain = brine_compressibility(200.0, temperature, 0.05) * (pressure - 200.0);
        pressure += brine_density(200.0, temperature, 0.05) * (1.0 + strain) * 9.80665e-6;
    }
    EXPECT_NEAR(warm[3], pressure, 1e-3);
    EXPECT_EQ(warm[0], 200.0);
    EXPECT_GT(warm[4], warm[2]);
    EXPECT_LT(warm[3], pressures_of_warm_brine({200.0, 40.0, 0.0, 0.05}, depths)[3]);
}

TEST(DissolvedCo2Density, IsThatOfAMolarVolumeOf35CubicCentimetresAt60Degrees) {
    EXPECT_NEAR(dissolved_co2_density(60.0), 44.0095 / 34.8 * 1e3, 5.0);
    EXPECT_NEAR(dissolved_co2_density(120.0), 44.0095 / 37.7 * 1e3, 5.0);
}

/// Masses of brine and CO2 in a volume, after equation (22) and by densities of water with and without CO2.
TEST(DissolvedCo2Density, KeepsWhatSaltAddsToTheDensityOfWater) {
    EXPECT_DOUBLE_EQ(dissolved_co2_density(150.0, 60.0, 0.0), dissolved_co2_density(60.0));
    for (const double salinity : {0.05, 0.15}) {
        const double water = water_density(150.0, 60.0), brine = brine_density(150.0, 60.0, salinity);
        const double share = 0.001;  // of the mass
        const double with_co2 = 1.0 / ((1.0 - share) / water + share / dissolved_co2_density(60.0));
        const double density = brine + with_co2 - water;
        const double co2 = share * density;
        const double expected = co2 + (1.0 - co2 / dissolved_co2_density(150.0, 60.0, salinity)) * brine;
        EXPECT_NEAR(expected / density, 1.0, 2e-6) << salinity;
        EXPECT_GT(dissolved_co2_density(150.0, 60.0, salinity), dissolved_co2_density(60.0) * (1.0 + 0.3 * salinity));
    }
}

TEST(WaterViscosity, AgreesWithTheReferenceWithinTenPercent) {
    // IAPWS 2008 at 200 bar: degC, cP.
    constexpr double reference[][2] = {{25, 0.88791}, {60, 0.47087}, {90, 0.31954}, {122, 0.23312}};
    for (const auto& [temperature, viscosity] : reference) {
        EXPECT_NEAR(brine_viscosity(temperature, 0.0) / viscosity, 1.0, 0.1) << temperature;
    }
}

// NaCl in water at 1 bar after Melinder (2010), from CoolProp 7: degC, kg/kg, kg/m3, cP.
constexpr double salt_water[][4] = {
    {20, 0.05, 1033.97, 1.0837}, {20, 0.10, 1070.58, 1.1933}, {20, 0.20, 1147.76, 1.5319},
    {30, 0.05, 1030.74, 0.8690}, {30, 0.15, 1104.05, 1.0766}, {30, 0.22, 1158.86, 1.3228},
    {40, 0.05, 1026.75, 0.7241}, {40, 0.10, 1062.30, 0.8040}, {40, 0.20, 1137.79, 1.0467}};

TEST(BrineDensity, AgreesWithMeasurementsWithinTwoThousandths) {
    for (const auto& [temperature, salinity, density, viscosity] : salt_water) {
        EXPECT_NEAR(brine_density(1.013, temperature, salinity) / density, 1.0, 2e-3) << temperature << " " << salinity;
    }
}

TEST(BrineViscosity, AgreesWithMeasurementsWithinNinePercent) {
    for (const auto& [temperature, salinity, density, viscosity] : salt_water) {
        EXPECT_NEAR(brine_viscosity(temperature, salinity) / viscosity, 1.0, 0.09) << temperature << " " << salinity;
    }
}

TEST(Brine, IsWaterWithoutSaltToTheBit) {
    for (const double temperature : {15.0, 37.3, 60.0, 121.7}) {
        for (const double pressure : {1.0, 97.3, 311.9}) {
            EXPECT_EQ(brine_density(pressure, temperature, 0.0), water_density(pressure, temperature));
        }
        const double fresh = 0.1 + 1.65 * std::exp(-(0.42 * 0.17 * 0.17 + 0.045) * std::pow(temperature, 0.8));
        EXPECT_EQ(brine_viscosity(temperature, 0.0), fresh);
    }
}

TEST(WaterCompressibility, AgreesWithTheReferenceWithinOnePercent) {
    // IAPWS-95 over 50 bar: bar, degC, 1/bar.
    constexpr double reference[][3] = {{100, 35, 4.310e-5}, {200, 60, 4.194e-5}, {300, 100, 4.426e-5}};
    for (const auto& [pressure, temperature, compressibility] : reference) {
        EXPECT_NEAR(brine_compressibility(pressure, temperature, 0.0) / compressibility, 1.0, 0.01) << temperature;
    }
}

}  // namespace
}  // namespace plumecast
