#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"
#include "reservoir/physics/co2_viscosity.hpp"
#include "reservoir/physics/saturation_functions.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {
namespace {

TEST(FluidTable, FollowsTheFunctionsThatItTabulates) {
    for (const double temperature : {45.0, 80.0, 125.0}) {
        const FluidTable table(temperature, 0.0, 150.0);
        // Off the table's own pressures, and away from the critical point, where density bends between two of them.
        for (double pressure = 120.3; pressure < 990.0; pressure += 37.7) {
            const Co2State state = table.at(pressure);
            const double density = co2_density(pressure, temperature);
            const double x = co2_solubility(pressure, temperature, 0.0);
            const double in_water = x / (1.0 - x) * table.brine_density;
            const double limit = in_water / (1.0 + in_water / dissolved_co2_density(temperature));
            EXPECT_NEAR(state.density, density, 1e-3 * density) << pressure << " bar, " << temperature << " degC";
            EXPECT_NEAR(state.viscosity, co2_viscosity(density, temperature), 1e-3 * state.viscosity) << pressure;
            EXPECT_NEAR(state.dissolved_limit, limit, 1e-3 * limit) << pressure << " bar, " << temperature << " degC";
        }
    }
}

TEST(FluidTable, HasTheSlopesOfItsOwnValues) {
    const FluidTable table(60.0, 0.0, 200.0);
    const Co2State low = table.at(180.2), high = table.at(180.9);  // between the same two rows
    EXPECT_NEAR(low.density_slope, (high.density - low.density) / 0.7, 1e-9);
    EXPECT_GT(low.density_slope, 0.0);
}

TEST(FluidTable, HoldsTheBrineOfTheInitialPressure) {
    const FluidTable table(60.0, 0.0, 200.0);
    EXPECT_DOUBLE_EQ(table.brine_density, water_density(200.0, 60.0));
    EXPECT_DOUBLE_EQ(table.brine_viscosity, brine_viscosity(60.0, 0.0));
    EXPECT_DOUBLE_EQ(table.brine_compressibility, brine_compressibility(200.0, 60.0, 0.0, compressibility_span));
    EXPECT_DOUBLE_EQ(table.dissolved_density, dissolved_co2_density(60.0));
}

TEST(FluidTable, OfBrineHasItsDensityViscosityAndSolubility) {
    constexpr double salt = 0.15;
    const FluidTable table(60.0, salt, 200.0);
    EXPECT_DOUBLE_EQ(table.brine_density, brine_density(200.0, 60.0, salt));
    EXPECT_DOUBLE_EQ(table.brine_viscosity, brine_viscosity(60.0, salt));
    EXPECT_DOUBLE_EQ(table.brine_compressibility, brine_compressibility(200.0, 60.0, salt, compressibility_span));
    const double pressure = FluidTable::pressure_of(100);
    const double x = co2_solubility(pressure, 60.0, salt);
    const double limit = table.at(pressure).dissolved_limit;
    EXPECT_DOUBLE_EQ(table.dissolved_density, dissolved_co2_density(200.0, 60.0, salt));
    // By the density of the brine that holds it.
    const double laden = limit + (1.0 - limit / table.dissolved_density) * table.brine_density;
    EXPECT_NEAR(limit, x * laden, 1e-9 * limit);
}

TEST(FluidTable, KeepsItsEndsBeyondItsPressures) {
    const FluidTable table(60.0, 0.0, 200.0);
    EXPECT_DOUBLE_EQ(table.at(-50.0).density, table.at(1.0).density);
    EXPECT_DOUBLE_EQ(table.at(5000.0).density, table.at(999.0).density);
    EXPECT_DOUBLE_EQ(table.at(5000.0).dissolved_limit, table.at(999.0).dissolved_limit);
}

TEST(DissolvedLimits, HaveTheBitsOfAllPressures) {
    constexpr double salt = 0.15;
    const DissolvedLimits limits(60.0, salt, 150.0, 20.0, 151.3, 187.9), all(60.0, salt, 150.0, 20.0, 0.0, 2000.0);
    const FluidTable table(60.0, salt, 150.0);
    for (const double pressure : {151.3, 153.0, 160.0, 177.77, 187.9}) {
        EXPECT_EQ(limits.at(pressure), all.at(pressure)) << pressure;
        EXPECT_NEAR(limits.at(pressure) / table.at(pressure).dissolved_limit, 1.0, 0.02) << pressure;
    }
    // By the density of the brine that holds it after Garcia (2001), at a usual build-up.
    const double row = FluidTable::pressure_of(80), x = co2_solubility(row, 60.0, salt), limit = all.at(row);
    const double laden = limit + (1.0 - limit / dissolved_co2_density(60.0)) * brine_density(170.0, 60.0, salt);
    EXPECT_NEAR(limit, x * laden, 1e-9 * limit);
    EXPECT_EQ(all.at(0.0), all.at(1.0));  // the ends of the table
    EXPECT_EQ(all.at(2000.0), all.at(999.0));
}

TEST(SaturationCurves, FollowTheTableOfTheCase) {
    const RadialCase radial = uniform_radial_case(1, 1);
    const SaturationCurves curves(radial);
    for (const SaturationRow& row :
         saturation_table(radial.irreducible_water_saturation, radial.van_genuchten_lambda)) {
        const FlowState state = curves.at(row.gas_saturation);
        EXPECT_NEAR(state.gas, row.gas_permeability, 1e-3) << row.gas_saturation;
        EXPECT_NEAR(state.brine, row.water_permeability, 2e-3) << row.gas_saturation;
        // The curve bends most at the first gas, where a step of the table is as long as two of the curve.
        EXPECT_NEAR(state.capillary, row.capillary_pressure, 0.02 * entry_pressure + 0.02 * row.capillary_pressure)
            << row.gas_saturation;
    }
}

TEST(SaturationCurves, HaveTheSlopesOfTheirOwnValues) {
    const SaturationCurves curves(uniform_radial_case(1, 1));
    for (const double saturation : {0.0001, 0.1, 0.33333, 0.7}) {
        constexpr double step = 1e-7;
        const FlowState low = curves.at(saturation), high = curves.at(saturation + step);
        EXPECT_NEAR(low.gas_slope, (high.gas - low.gas) / step, 1e-6);
        EXPECT_NEAR(low.brine_slope, (high.brine - low.brine) / step, 1e-6);
        EXPECT_NEAR(low.capillary_slope, (high.capillary - low.capillary) / step, 1e-5);
    }
}

TEST(SaturationCurves, NeverMoveGasThatIsNotThereNorBrineThatIsIrreducible) {
    const SaturationCurves curves(uniform_radial_case(1, 1));
    EXPECT_EQ(curves.at(0.0).gas, 0.0);
    EXPECT_DOUBLE_EQ(curves.at(0.0).brine, 1.0);
    EXPECT_EQ(curves.at(0.8).brine, 0.0);
    EXPECT_EQ(curves.at(1.0).brine, 0.0);
}

TEST(FlashedSaturation, IsTheShareThatHoldsTheMassBeyondWhatDissolves) {
    EXPECT_EQ(flashed_saturation(0.0, 700.0, 50.0), 0.0);
    EXPECT_EQ(flashed_saturation(30.0, 700.0, 50.0), 0.0);
    EXPECT_EQ(flashed_saturation(50.0, 700.0, 50.0), 0.0);
    EXPECT_EQ(flashed_saturation(900.0, 700.0, 50.0), 1.0);
    for (const double saturation : {0.01, 0.5, 0.99}) {
        const double mass = saturation * 700.0 + (1.0 - saturation) * 50.0;
        EXPECT_NEAR(flashed_saturation(mass, 700.0, 50.0), saturation, 1e-14);
    }
}

}  // namespace
}  // namespace plumecast::two_phase
