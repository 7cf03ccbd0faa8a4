#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// Layers to 100 km; a ramp, a pause in the fourth year and a stop after ten.
RadialCase ramped_case() {
    RadialCase radial = layered_radial_case(6, 20, 5, {4.0, 20.0, 3.0});
    for (std::size_t i = 0; i <= radial.columns(); ++i) {
        radial.r_edges[i] = 0.1 * std::pow(1e6, static_cast<double>(i) / static_cast<double>(radial.columns()));
    }
    radial.times = {1.0, 100.0, 365.25, 1000.0, 1500.0, 2000.0, 3000.0, 3652.5, 4000.0, 8000.0};
    for (const double year : {1.0, 3.0, 4.0, 10.0}) {
        radial.schedule.ends.push_back(year * days_per_year);
    }
    radial.schedule.rates = {0.05, 0.3, 0.0, 0.25};
    return radial;
}

/// Of the pressure in the well while something is injected, and without a limit that matters [bar].
std::vector<float> free_pressures(RadialCase radial) {
    radial.bottom_hole_pressure_limit = 9999.0;
    return two_phase_fields(radial, 2, "the case").bottom_hole_pressure;
}

double largest_pressure(const std::vector<float>& values) {
    double most = 0.0;
    for (const float value : values) {
        most = std::isnan(value) ? most : std::max(most, static_cast<double>(value));
    }
    return most;
}

TEST(PressureLimit, ChangesNothingWhereItIsNotReached) {
    RadialCase radial = ramped_case();
    const TwoPhaseFields free = two_phase_fields(radial, 6, "the case");  // as many steps
    radial.bottom_hole_pressure_limit = 9999.0;
    const TwoPhaseFields limited = two_phase_fields(radial, 2, "the case");
    EXPECT_EQ(free.pressure_buildup, limited.pressure_buildup);
    EXPECT_EQ(free.gas_saturation, limited.gas_saturation);
    EXPECT_EQ(free.dissolved_co2, limited.dissolved_co2);
    for (std::size_t t = 0; t < radial.times.size(); ++t) {
        EXPECT_NEAR(limited.injected_mass[t], radial.schedule.injected(radial.times[t]), 1e-6) << t;
    }
}

TEST(PressureLimit, IsHeldWithTheMassThatItLetsIn) {
    RadialCase radial = ramped_case();
    const double most = largest_pressure(free_pressures(radial));
    for (const double share : {0.3, 0.6, 0.9}) {
        SCOPED_TRACE(share);
        radial.bottom_hole_pressure_limit = radial.initial_pressure + share * (most - radial.initial_pressure);
        const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
        EXPECT_LT(fields.mass_error, 1e-12);
        EXPECT_LT(fields.brine_error, 1e-12);
        EXPECT_NEAR(largest_pressure(fields.bottom_hole_pressure), radial.bottom_hole_pressure_limit, 1e-3);
        const double asked = radial.schedule.injected(radial.times.back());
        EXPECT_LT(fields.injected_mass.back(), 0.999 * asked);
        EXPECT_GT(fields.injected_mass.back(), 0.5 * share * asked);
        EXPECT_TRUE(std::ranges::is_sorted(fields.injected_mass));
        EXPECT_TRUE(std::isnan(fields.bottom_hole_pressure[4]) == false);
        EXPECT_TRUE(std::isnan(fields.bottom_hole_pressure.back()));  // at rest
    }
}

TEST(PressureLimit, IsHeldInSaltBrineThatTrapsGas) {
    RadialCase radial = ramped_case();
    radial.salinity = 0.15;
    radial.residual_gas_saturation = 0.3;
    const double most = largest_pressure(free_pressures(radial));
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 0.5 * (most - radial.initial_pressure);
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(fields.mass_error, 1e-12);
    EXPECT_LT(fields.brine_error, 1e-12);
    EXPECT_NEAR(largest_pressure(fields.bottom_hole_pressure), radial.bottom_hole_pressure_limit, 1e-3);
    EXPECT_LT(fields.injected_mass.back(), 0.999 * radial.schedule.injected(radial.times.back()));
    EXPECT_GT(*std::ranges::max_element(fields.trapped_gas_saturation), 0.05F);
}

/// A limit so close above the initial pressure that gas beside the well, by its capillary pressure, shuts it.
TEST(PressureLimit, LetsNothingInWhereGasBesideTheWellStandsAboveIt) {
    RadialCase radial = ramped_case();
    radial.rock_fluid.entry_pressure = 5.0;
    radial.bottom_hole_pressure_limit =
        hydrostatic_pressure(radial.initial_pressure, radial.temperature, radial.salinity, 0.5 * radial.z_edges[1]) +
        0.2;
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(fields.mass_error, 1e-12);
    EXPECT_LT(fields.brine_error, 1e-12);
    EXPECT_TRUE(std::ranges::is_sorted(fields.injected_mass));
    EXPECT_LE(largest_pressure(fields.bottom_hole_pressure), radial.bottom_hole_pressure_limit + 1e-3);
    EXPECT_LT(fields.injected_mass.back(), 0.1 * radial.schedule.injected(radial.times.back()));
}

TEST(PressureLimit, LetsTheRateReturnWhereThePressureFalls) {
    RadialCase radial = ramped_case();
    const std::vector<float> free = free_pressures(radial);
    radial.bottom_hole_pressure_limit = 0.5 * (largest_pressure(free) + static_cast<double>(free[1]));
    ASSERT_LT(free[1], radial.bottom_hole_pressure_limit);
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_NEAR(fields.injected_mass[2], radial.schedule.injected(365.25), 1e-6);  // at the first rate
    EXPECT_LT(fields.injected_mass[3], 0.99 * radial.schedule.injected(1000.0));
    EXPECT_NEAR(fields.bottom_hole_pressure[3], radial.bottom_hole_pressure_limit, 1e-3);
}

TEST(PressureLimit, ConvergesWithTheSteps) {
    RadialCase radial = ramped_case();
    radial.bottom_hole_pressure_limit =
        radial.initial_pressure + 0.6 * (largest_pressure(free_pressures(radial)) - radial.initial_pressure);
    const double fine = two_phase_fields(radial, 16, "the case").injected_mass.back();
    EXPECT_NEAR(two_phase_fields(radial, 2, "the case").injected_mass.back() / fine, 1.0, 0.02);
    EXPECT_NEAR(two_phase_fields(radial, 8, "the case").injected_mass.back() / fine, 1.0, 0.005);
}

TEST(PressureLimit, IsRefusedWhereNothingCouldBeInjectedOrThePhysicsKnowsNone) {
    RadialCase radial = ramped_case();
    radial.bottom_hole_pressure_limit = radial.initial_pressure - 1.0;
    const auto message_of = [&](const PhysicsSettings& settings) {
        try {
            reduced_physics(radial, settings, "case 3");
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message_of({}), HasSubstr("case 3: bottom_hole_pressure_limit [bar] is "));
    radial.rock_fluid.initial_brine_temperature = 15.0;  // whose brine is heavier
    const std::size_t cell = 4 * radial.columns();
    radial.perforation.assign(radial.cells(), 0.0);
    radial.perforation[cell] = 1.0;
    const double depth = 0.5 * (radial.z_edges[4] + radial.z_edges[5]);
    const auto beside = [&](double temperature) {
        return hydrostatic_pressure(radial.initial_pressure, temperature, radial.salinity, depth);
    };
    ASSERT_LT(beside(radial.temperature), beside(15.0) - 1e-3);
    radial.bottom_hole_pressure_limit = 0.5 * (beside(radial.temperature) + beside(15.0));
    EXPECT_THAT(message_of({}), HasSubstr("below the initial pressure"));
}

}  // namespace
}  // namespace plumecast
