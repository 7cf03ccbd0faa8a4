#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"
#include "reservoir/physics/co2_viscosity.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast {
namespace {

/// Central difference of fourth order.
template <class Function>
double difference(const Function& f, double at, double step) {
    return (8.0 * (f(at + step) - f(at - step)) - (f(at + 2.0 * step) - f(at - 2.0 * step))) / (12.0 * step);
}

void expect_slope(double slope, double expected, double tolerance) {
    EXPECT_NEAR(slope, expected, tolerance * std::abs(expected));
}

struct FluidState {
    double pressure;
    double temperature;
};

class FluidSlopesTest : public ::testing::TestWithParam<FluidState> {
   protected:
    /// Compares slopes with differences of a property by pressure and by temperature.
    template <class Property>
    void expect_slopes(const FluidSlopes& slopes, const Property& property, double tolerance) const {
        const auto [pressure, temperature] = GetParam();
        const auto by_pressure = [&](double value) { return property(value, temperature); };
        const auto by_temperature = [&](double value) { return property(pressure, value); };
        expect_slope(slopes.pressure, difference(by_pressure, pressure, 0.1), tolerance);
        expect_slope(slopes.temperature, difference(by_temperature, temperature, 0.05), tolerance);
    }
};

TEST_P(FluidSlopesTest, OfWaterAreItsDifferences) {
    const auto [pressure, temperature] = GetParam();
    expect_slopes(water_density_slopes(pressure, temperature), water_density, 1e-8);
}

TEST_P(FluidSlopesTest, OfBrineAreItsDifferences) {
    const auto [pressure, temperature] = GetParam();
    for (const double salt : {0.0, 0.03, 0.2}) {
        const auto density = [&](double p, double t) { return brine_density(p, t, salt); };
        expect_slopes(brine_density_slopes(pressure, temperature, salt), density, 1e-8);
        const auto compressibility = [&](double p, double t) { return brine_compressibility(p, t, salt); };
        expect_slopes(brine_compressibility_slopes(pressure, temperature, salt), compressibility, 1e-6);
        const auto viscosity = [&](double t) { return brine_viscosity(t, salt); };
        expect_slope(brine_viscosity_slopes(temperature, salt).temperature, difference(viscosity, temperature, 0.05),
                     1e-8);
    }
}

TEST_P(FluidSlopesTest, OfBrineBySalinityAreItsDifferences) {
    const auto [pressure, temperature] = GetParam();
    constexpr double step = 1e-3;
    for (const double salt : {0.03, 0.2}) {
        const auto density = [&](double s) { return brine_density(pressure, temperature, s); };
        expect_slope(brine_density_slopes(pressure, temperature, salt).salinity, difference(density, salt, step), 1e-9);
        const auto compressibility = [&](double s) { return brine_compressibility(pressure, temperature, s); };
        expect_slope(brine_compressibility_slopes(pressure, temperature, salt).salinity,
                     difference(compressibility, salt, step), 1e-6);
        const auto viscosity = [&](double s) { return brine_viscosity(temperature, s); };
        expect_slope(brine_viscosity_slopes(temperature, salt).salinity, difference(viscosity, salt, step), 1e-5);
    }
}

TEST(FluidSlopes, OfTheViscosityBySalinityAreBoundedTowardsFreshWater) {
    const double at_least = brine_viscosity_slopes(60.0, least_salinity_with_slope).salinity;
    EXPECT_GT(at_least, 0.0);
    EXPECT_NEAR(brine_viscosity_slopes(60.0, 0.0).salinity, at_least, 1e-2 * at_least);
}

TEST_P(FluidSlopesTest, OfHydrostaticPressureAreItsDifferences) {
    const auto [pressure, temperature] = GetParam();
    constexpr double salt = 0.1;
    const HydrostaticSlopes slopes = hydrostatic_pressure_slopes(pressure, temperature, salt, 90.0);
    const auto property = [](double p, double t) { return hydrostatic_pressure(p, t, salt, 90.0); };
    expect_slopes({slopes.pressure, slopes.temperature}, property, 1e-8);
    const auto by_depth = [&](double below) { return hydrostatic_pressure(pressure, temperature, salt, below); };
    expect_slope(slopes.below, difference(by_depth, 90.0, 1.0), 1e-9);
    const auto by_salt = [&](double s) { return hydrostatic_pressure(pressure, temperature, s, 90.0); };
    expect_slope(slopes.salinity, difference(by_salt, salt, 1e-3), 1e-7);
}

TEST_P(FluidSlopesTest, OfCarbonDioxideAreItsDifferences) {
    const auto [pressure, temperature] = GetParam();
    expect_slopes(co2_density_slopes(pressure, temperature), co2_density, 1e-6);
    const double density = co2_density(pressure, temperature);
    const Co2ViscositySlopes slopes = co2_viscosity_slopes(density, temperature);
    const auto by_density = [&](double value) { return co2_viscosity(value, temperature); };
    const auto by_temperature = [&](double value) { return co2_viscosity(density, value); };
    expect_slope(slopes.density, difference(by_density, density, 0.1), 1e-8);
    expect_slope(slopes.temperature, difference(by_temperature, temperature, 0.05), 1e-7);
}

// Above the critical point, liquid, gas, and the ends of what cases may have.
INSTANTIATE_TEST_SUITE_P(States, FluidSlopesTest,
                         ::testing::Values(FluidState{200.0, 60.0}, FluidState{100.0, 20.0}, FluidState{30.0, 20.0},
                                           FluidState{400.0, 125.0}, FluidState{90.0, 45.0}, FluidState{5.0, 165.0}));

TEST(FluidSlopes, OfCarbonDioxideAreRefusedWhereItsDensityIs) {
    EXPECT_THROW(co2_density_slopes(2000.0, 60.0), InvalidInput);
}

}  // namespace
}  // namespace plumecast
