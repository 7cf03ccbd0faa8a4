
#include <gtest/gtest.h>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"

namespace plumecast {
namespace {

TEST(Co2Solubility, GrowsWithPressureAndVanishesWithIt) {
    EXPECT_LT(co2_solubility(2.0, 50.0, 0.0), co2_solubility(20.0, 50.0, 0.0));
    EXPECT_LT(co2_solubility(20.0, 50.0, 0.0), co2_solubility(200.0, 50.0, 0.0));
    EXPECT_NEAR(co2_solubility(1.0, 50.0, 0.0), 7.6e-4, 2e-4);
}

TEST(Co2Solubility, IsThatOfTheSimulator) {
    // Dissolved CO2 over 1 - saturation in cells that hold gas after 30 years of injection: OPM Flow 2022.10, CO2STORE,
    // pure water. Found within 0.3 % over 100 cases.
    struct State {
        double pressure, temperature, content;  // [bar], [degC], [kg per m3 of brine]
    };
    for (const auto& [pressure, temperature, content] :
         {State{138.9476, 37.8976, 57.7790}, State{242.3645, 35.4927, 63.4621}, State{319.1996, 37.5386, 64.4614},
          State{135.5243, 62.0772, 46.8153}, State{305.0605, 80.5755, 54.8363}, State{406.1283, 84.0799, 58.3709},
          State{123.9552, 96.0552, 37.7243}, State{127.6943, 121.6416, 37.6946}, State{248.5120, 121.3324, 53.6087}}) {
        const double fraction = co2_solubility(pressure, temperature, 0.0);
        const double volume =
            fraction / dissolved_co2_density(temperature) + (1.0 - fraction) / water_density(pressure, temperature);
        EXPECT_NEAR(fraction / volume / content, 1.0, 4e-3) << pressure << " bar, " << temperature << " degC";
    }
}

TEST(Co2Solubility, InBrineIsWithinSevenPercentOfMeasurements) {
    // Rumpf, Nicolaisen, Ocal and Maurer (1994), J. Solution Chem. 23, 431-448: 4 mol of NaCl per kg of water.
    struct State {
        double temperature, pressure, molality;  // [degC], [bar], CO2 [mol/kg]
    };
    const double salinity = salinity_of(4.0);
    for (const auto& [temperature, pressure, molality] :
         {State{40.0, 9.11, 0.0995}, State{40.0, 31.47, 0.3098}, State{40.0, 69.17, 0.5497}, State{60.0, 25.14, 0.1922},
          State{60.0, 47.37, 0.3305}, State{60.0, 96.42, 0.5272}, State{79.95, 33.87, 0.2032},
          State{79.96, 96.37, 0.4613}, State{119.95, 47.42, 0.2084}, State{119.97, 93.28, 0.3657}}) {
        const double fraction = co2_solubility(pressure, temperature, salinity);
        const double per_water = fraction / (1.0 - fraction) / (1.0 - salinity) / 0.04401;
        EXPECT_NEAR(per_water / molality, 1.0, 0.07) << pressure << " bar, " << temperature << " degC";
    }
}

TEST(Co2Solubility, FallsSteadilyWithSaltFromThatOfWater) {
    EXPECT_NEAR(co2_solubility(150.0, 60.0, 1e-9) / co2_solubility(150.0, 60.0, 0.0), 1.0, 1e-7);
    for (const double salinity : {0.0, 0.05, 0.1, 0.2}) {
        EXPECT_LT(co2_solubility(150.0, 60.0, salinity + 0.05), co2_solubility(150.0, 60.0, salinity));
    }
}

}  // namespace
}  // namespace plumecast
