
#include <gtest/gtest.h>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"

namespace plumecast {
namespace {

TEST(Co2Solubility, GrowsWithPressureAndVanishesWithIt) {
    EXPECT_LT(co2_solubility(2.0, 50.0), co2_solubility(20.0, 50.0));
    EXPECT_LT(co2_solubility(20.0, 50.0), co2_solubility(200.0, 50.0));
    EXPECT_NEAR(co2_solubility(1.0, 50.0), 7.6e-4, 2e-4);
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
        const double fraction = co2_solubility(pressure, temperature);
        const double volume =
            fraction / dissolved_co2_density(temperature) + (1.0 - fraction) / water_density(pressure, temperature);
        EXPECT_NEAR(fraction / volume / content, 1.0, 4e-3) << pressure << " bar, " << temperature << " degC";
    }
}

}  // namespace
}  // namespace plumecast
