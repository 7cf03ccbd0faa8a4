#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// Sand of some 70 m.
RadialCase warm_case(double gradient) {
    RadialCase radial = layered_radial_case(8, 24, 5, {4.0, 200.0, 3.0});
    for (std::size_t i = 0; i <= radial.columns(); ++i) {
        radial.r_edges[i] = 5.0 * std::pow(2e3, static_cast<double>(i) / static_cast<double>(radial.columns()));
    }
    radial.temperature = 40.0;
    radial.initial_pressure = 100.0;
    radial.rock_fluid.temperature_gradient = gradient;
    return radial;
}

TEST(TemperatureGradient, OfZeroGivesTheBitsOfOneTemperature) {
    const TwoPhaseFields none = two_phase_fields(warm_case(std::nan("")), 2, "the case"),
                         zero = two_phase_fields(warm_case(0.0), 2, "the case");
    EXPECT_EQ(none.gas_saturation, zero.gas_saturation);
    EXPECT_EQ(none.pressure_buildup, zero.pressure_buildup);
    EXPECT_EQ(none.dissolved_co2, zero.dissolved_co2);
}

TEST(TemperatureGradient, LeavesARowAtTheTemperatureOfTheCase) {
    RadialCase radial = layered_radial_case(1, 24, 5);
    const TwoPhaseFields one = two_phase_fields(radial, 2, "the case");
    radial.rock_fluid.temperature_gradient = 0.1;
    const TwoPhaseFields warm = two_phase_fields(radial, 2, "the case");
    for (std::size_t i = 0; i < one.pressure_buildup.size(); ++i) {
        EXPECT_NEAR(warm.pressure_buildup[i], one.pressure_buildup[i], 1e-4F);
        EXPECT_NEAR(warm.gas_saturation[i], one.gas_saturation[i], 1e-5F);
    }
}

TEST(TemperatureGradient, KeepsBrineAtRest) {
    RadialCase radial = warm_case(0.2);
    radial.injection_rate = 0.0;
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(std::ranges::max(fields.pressure_buildup), 1e-6F);
    EXPECT_GT(std::ranges::min(fields.pressure_buildup), -1e-6F);
}

TEST(TemperatureGradient, KeepsBothMasses) {
    RadialCase radial = warm_case(0.05);
    radial.schedule = {{100.0, 150.0, 300.0}, {0.3, 0.0, 0.5}};
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(std::abs(fields.mass_error), 1e-12);
    EXPECT_LT(fields.brine_error, 1e-12);
}

TEST(TemperatureGradient, GivesEachRowTheFluidsOfItsTemperature) {
    const RadialCase radial = warm_case(0.05);
    const two_phase::RowFluids fluids(radial);
    ASSERT_EQ(fluids.tables().size(), 8U);
    const TemperatureProfile profile = radial.temperatures();
    for (const std::size_t row : {0U, 3U, 7U}) {
        const double temperature = profile.at(0.5 * (radial.z_edges[row] + radial.z_edges[row + 1]));
        const two_phase::FluidTable alone(temperature, radial.salinity, radial.initial_pressure);
        const two_phase::FluidTable& table = fluids[5 * 8 + row];  // of the sixth column
        EXPECT_EQ(table.at(110.0).density, alone.at(110.0).density);
        EXPECT_EQ(table.brine_density, alone.brine_density);
        EXPECT_EQ(fluids.brine_fluidity()[row], 1.0 / alone.brine_viscosity);
    }
    EXPECT_EQ(two_phase::RowFluids(warm_case(0.0)).tables().size(), 1U);
}

TEST(TemperatureGradient, FillsBrineBesideGasUpToTheLimitOfItsRow) {
    const RadialCase radial = warm_case(0.1);
    const two_phase::RowFluids fluids(radial);
    const two_phase::Reservoir reservoir(radial);
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    std::size_t with_gas = 0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), at = 2 * radial.cells() + cell;  // the last snapshot
        const auto saturation = static_cast<double>(fields.gas_saturation[at]);
        if (saturation > 0.2) {
            const double pressure = reservoir.initial_pressure[row] + static_cast<double>(fields.pressure_buildup[at]);
            const double limit = fluids[row].at(pressure).dissolved_limit;
            EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[at]) / (1.0 - saturation), limit, 2e-3 * limit)
                << cell;
            ++with_gas;
        }
    }
    EXPECT_GT(with_gas, 20U);
    const auto limit_of = [&](std::size_t row) { return fluids[row].at(110.0).dissolved_limit; };
    EXPECT_GT(limit_of(0), 1.02 * limit_of(7));
}

/// A well full of one fluid has pressures that grow by its weight, whatever the brine beside it weighs.
TEST(TemperatureGradient, LeavesTheWeightOfWhatFillsTheWell) {
    const two_phase::Reservoir reservoir(warm_case(0.2));
    const auto pressure = [&](std::size_t row) {
        return reservoir.initial_pressure[row] - reservoir.added_pressure[row] +
               two_phase::well_head(600.0, reservoir.initial_density, reservoir.depth[row] - reservoir.well_depth);
    };
    for (std::size_t row = 1; row < reservoir.rows; ++row) {
        const double height = reservoir.depth[row] - reservoir.depth[0];
        EXPECT_NEAR(pressure(row) - pressure(0), 600.0 * two_phase::gravity * height, 1e-9) << row;
        EXPECT_LT(reservoir.added_pressure[row], 0.0);  // warmer brine is lighter
    }
}

std::string refusal_of(const RadialCase& radial) {
    try {
        radial.check("the case");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(TemperatureGradient, IsRefusedWhereRowsWouldHaveNoKnownFluids) {
    RadialCase radial = warm_case(0.2);
    radial.temperature = 16.0;  // 8 at the top
    EXPECT_THAT(refusal_of(radial), HasSubstr("the case: temperature [degC]"));
    radial.temperature = 40.0;
    radial.rock_fluid.temperature_gradient = 0.3;
    EXPECT_THAT(refusal_of(radial), HasSubstr("temperature_gradient [degC/m]"));
}

}  // namespace
}  // namespace plumecast
