#include <cmath>

#include <gtest/gtest.h>

#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast::testing {
namespace {

TEST(SaturationTable, RisesAndFallsAsTheSimulatorWants) {
    for (const double lambda : {0.3, 0.5, 0.7}) {
        for (const double water : {0.1, 0.3}) {
            const std::vector<SaturationRow> table = saturation_table(water, lambda);
            for (std::size_t i = 1; i < table.size(); ++i) {
                EXPECT_GT(table[i].gas_saturation, table[i - 1].gas_saturation);
                EXPECT_GE(table[i].gas_permeability, table[i - 1].gas_permeability);
                EXPECT_LE(table[i].water_permeability, table[i - 1].water_permeability);
                EXPECT_GE(table[i].capillary_pressure, table[i - 1].capillary_pressure);
            }
        }
    }
}

TEST(SaturationTable, EndsAtTheIrreducibleWater) {
    const std::vector<SaturationRow> table = saturation_table(0.2, 0.5);
    EXPECT_EQ(table.front().gas_saturation, 0.0);
    EXPECT_EQ(table.front().water_permeability, 1.0);
    EXPECT_EQ(table.front().gas_permeability, 0.0);
    EXPECT_NEAR(table.back().gas_saturation, 0.8, 1e-12);
    EXPECT_EQ(table.back().water_permeability, 0.0);
    EXPECT_NEAR(table.back().gas_permeability, 1.0, 1e-12);
}

TEST(SaturationTable, KeepsGasBelowTheResidualSaturationStill) {
    for (const SaturationRow& row : saturation_table(0.2, 0.5)) {
        EXPECT_EQ(row.gas_permeability > 0.0, row.gas_saturation > residual_gas_saturation + 1e-9);
    }
}

TEST(SaturationTable, FollowsVanGenuchten) {
    const SaturationRow row = saturation_table(0.2, 0.5)[5];  // gas saturation 0.03
    const double effective = 0.77 / 0.8;
    const double part = 1.0 - std::sqrt(1.0 - effective * effective);
    EXPECT_NEAR(row.water_permeability, std::sqrt(effective) * part * part, 1e-12);
    const double wetting = 0.82 / 0.85;  // capillary pressure ends at 0.05 less water than flow
    EXPECT_NEAR(row.capillary_pressure, 0.1961 * std::sqrt(1.0 / (wetting * wetting) - 1.0), 1e-12);
}

TEST(LeverettFactor, IsOneForTheReferenceRock) {
    EXPECT_NEAR(leverett_factor(100.0, 0.2), 1.0, 1e-15);
    EXPECT_NEAR(leverett_factor(25.0, 0.2), 2.0, 1e-15);
}

}  // namespace
}  // namespace plumecast::testing
