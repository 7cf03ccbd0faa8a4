#include "reservoir/physics/injection_fluids.hpp"

#include <gtest/gtest.h>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/radial_cases.hpp"

namespace plumecast {
namespace {

TEST(InjectionFluids, AreThoseAtTheDepthOfThePerforation) {
    RadialCase radial = uniform_radial_case(4, 3);
    radial.perforation.assign(12, 0.0);
    radial.perforation[6] = 1.0;  // 10 to 15 m
    const InjectionFluids fluids = injection_fluids(radial);
    EXPECT_DOUBLE_EQ(fluids.pressure, hydrostatic_pressure(200.0, 60.0, 0.0, 12.5));
    EXPECT_DOUBLE_EQ(fluids.co2_density, co2_density(fluids.pressure, 60.0));
    EXPECT_DOUBLE_EQ(fluids.co2_viscosity, co2_viscosity(fluids.co2_density, 60.0));
    EXPECT_DOUBLE_EQ(fluids.viscosity_ratio(), brine_viscosity(60.0, 0.0) / fluids.co2_viscosity);
    EXPECT_NEAR(fluids.volume_rate * fluids.co2_density * 365.25, 0.5e9, 1.0);
}

}  // namespace
}  // namespace plumecast
