#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "core/units.hpp"
#include "reservoir/physics/ledger_cotangents.hpp"
#include "reservoir/physics/physics_cotangents.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/gradient_differences.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"
#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

namespace plumecast {
namespace {

/// Weights of series at the times of a case, another for each.
PhysicsCotangents series_weights(const RadialCase& radial, const std::vector<std::string>& names) {
    const std::vector<double> drawn = {0.3, 1.0, -0.4, 0.8, 0.6, -0.7, 0.5};
    PhysicsCotangents weights;
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t time = 0; time < radial.times.size(); ++time) {
            weights.series[names[i]].push_back(drawn[(2 * i + time) % drawn.size()]);
        }
    }
    return weights;
}

const std::vector<std::vector<std::string>> pressure_and_masses = {
    {"bottom_hole_pressure"}, {"mass_injected", "mass_free", "mass_trapped", "mass_dissolved"}};

TEST(SeriesGradient, IsThatOfEachSeries) {
    const RadialCase radial = layers_in_wide_rings(4, 10, 1);
    for (const std::string& name : physics_series_names()) {
        SCOPED_TRACE(name);
        expect_two_phase_gradient(radial, 1, series_weights(radial, {name}));
    }
}

TEST(SeriesGradient, IsThatOfPressureAndMassesInBrineWithInactiveCells) {
    RadialCase radial = wide_rings_with_inactive_cells();
    radial.salinity = 0.12;
    for (const auto& names : pressure_and_masses) {
        SCOPED_TRACE(names[0]);
        expect_two_phase_gradient(radial, 2, series_weights(radial, names));
    }
}

TEST(SeriesGradient, IsThatOfPressureAndMassesWhereItGrowsWarmer) {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.salinity = 0.1;
    radial.rock_fluid.temperature_gradient = 0.15;
    for (const auto& names : pressure_and_masses) {
        SCOPED_TRACE(names[0]);
        expect_two_phase_gradient(radial, 2, series_weights(radial, names));
    }
}

TEST(SeriesGradient, IsThatOfPressureAndMassesThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 197.45;  // where no face is about to change its side
    for (const auto& names : pressure_and_masses) {
        SCOPED_TRACE(names[0]);
        expect_two_phase_gradient(radial, few_steps(2, 300.0), series_weights(radial, names));
    }
}

TEST(SeriesGradient, IsThatOfPressureAndMassesByThePresentSteps) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 200.65;  // where no face is about to change its side
    for (const auto& names : pressure_and_masses) {
        SCOPED_TRACE(names[0]);
        expect_two_phase_gradient(radial, 1, series_weights(radial, names));
    }
}

TEST(SeriesGradient, IsThatOfPressureAndMassesWithHysteresis) {
    RadialCase radial = ramp_pause_and_stop();
    radial.residual_gas_saturation = 0.27;
    radial.initial_pressure = 204.6;  // where no face is about to change its side
    for (const auto& names : pressure_and_masses) {
        SCOPED_TRACE(names[0]);
        expect_two_phase_gradient(radial, few_steps(2, 120.0, 1), series_weights(radial, names));
    }
}

TEST(SeriesGradient, IsThatOfTheMassesOfAWellAtItsLimit) {
    RadialCase radial = layers_in_wide_rings(4, 10, 1);
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 4.0;
    expect_two_phase_gradient(radial, few_steps(3), series_weights(radial, pressure_and_masses[1]));
}

TEST(SeriesGradient, IsThatOfAPressureThatReachesAndLeavesItsLimit) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 198.1;  // where no face is about to change its side
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 4.2;
    const std::vector<float> pressure = two_phase_fields(radial, 2, "the case").bottom_hole_pressure;
    EXPECT_NEAR(static_cast<double>(pressure[0]), radial.bottom_hole_pressure_limit, 0.01);
    EXPECT_LT(pressure[2], pressure[0] - 0.1F);
    expect_two_phase_gradient(radial, 2, series_weights(radial, {"bottom_hole_pressure"}));
}

TEST(SeriesGradient, DoesNotCountPressuresAtRest) {
    const RadialCase radial = ramp_pause_and_stop();
    PhysicsCotangents weights = series_weights(radial, {"bottom_hole_pressure"});
    const std::vector<float> pressure = two_phase_fields(radial, 2, "the case").bottom_hole_pressure;
    const RadialCaseGradient gradient = two_phase_gradient(radial, 2, weights);
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        EXPECT_EQ(std::isnan(pressure[time]), time == 1 || time > 2) << time;
        weights.series["bottom_hole_pressure"][time] *= std::isnan(pressure[time]) ? 0.0 : 1.0;
    }
    const RadialCaseGradient counted = two_phase_gradient(radial, 2, weights);
    EXPECT_EQ(counted.porosity, gradient.porosity);
    EXPECT_EQ(counted.rates, gradient.rates);
    EXPECT_NE(gradient.rates[2], 0.0);  // of the pause before the second pressure
}

TEST(SeriesGradient, IsOneByWhatIsInjectedInAPeriod) {
    const RadialCase radial = ramp_pause_and_stop();
    PhysicsCotangents weights;
    weights.series["mass_injected"] = {0.0, 0.0, 0.0, 0.0, 1.0};
    const RadialCaseGradient gradient = two_phase_gradient(radial, 2, weights);
    double before = 0.0;
    for (std::size_t period = 0; period < gradient.rates.size(); ++period) {
        const double years = (radial.schedule.ends[period] - before) / days_per_year;
        EXPECT_NEAR(gradient.rates[period], years, 1e-9 * years);
        before = radial.schedule.ends[period];
    }
}

TEST(SeriesGradient, ByARateOfZeroIsThatOfTheLeastRate) {
    RadialCase radial = ramp_pause_and_stop();
    const PhysicsCotangents weights = series_weights(radial, pressure_and_masses[1]);
    const double found = two_phase_gradient(radial, 1, weights).rates[2];
    radial.schedule.rates[2] = 1e-6;
    EXPECT_NE(found, 0.0);
    EXPECT_DOUBLE_EQ(two_phase_gradient(radial, 1, weights).rates[2], found);
    RadialCase constant = layers_in_wide_rings(2, 8, 3);
    constant.injection_rate = 0.0;
    const PhysicsCotangents dissolved = series_weights(constant, {"mass_dissolved"});
    const double at_rest = two_phase_gradient(constant, 1, dissolved).injection_rate;
    constant.injection_rate = 1e-6;
    EXPECT_NE(at_rest, 0.0);
    EXPECT_DOUBLE_EQ(two_phase_gradient(constant, 1, dissolved).injection_rate, at_rest);
}

TEST(SeriesGradient, NamesTheCaseWhereTheDensityOfCo2IsNotKnown) {
    const RadialCase radial = layers_in_wide_rings(1, 4, 7);
    const std::vector<double> cells(radial.times.size() * radial.cells(), 0.5), far(cells.size(), 1e5);
    PhysicsCotangents weights = series_weights(radial, {"mass_free"});
    RadialCaseGradient gradient = zero_gradient(radial);
    try {
        add_ledger_cotangents(radial, {far, cells, {}, cells}, weights, gradient, "cases.h5: case 3");
        FAIL() << "no pressure is known there";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("cases.h5: case 3: masses of CO2 on day "));
    }
}

TEST(SeriesGradient, RefusesSeriesThatAreNotThere) {
    const RadialCase radial = layers_in_wide_rings(2, 4, 7);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{}, {}, {{"mass_free", {1.0}}}}), InvalidInput);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{}, {}, {{"mass_lost", {1.0, 1.0, 1.0}}}}), InvalidInput);
}

TEST(SeriesGradient, IsOfThePressureAndTheMassesThatThePhysicsHas) {
    RadialCase radial = ramp_pause_and_stop();
    radial.residual_gas_saturation = 0.27;
    const TwoPhaseFields expected = two_phase_fields(radial, 2, "the case");
    two_phase::RecordedCase recorded = two_phase::recorded_case(radial, two_phase::step_count(radial, 2), "the case");
    const std::vector<double> pressures = bottom_hole_pressures(recorded, radial.times.size());
    const auto masses = ledger_series(radial, recorded.fields(radial.times.size()));
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        const auto pressure = static_cast<double>(expected.bottom_hole_pressure[time]);
        EXPECT_TRUE(std::isnan(pressure) ? std::isnan(pressures[time]) : std::abs(pressures[time] - pressure) < 1e-3);
        // Both of the same density at a front, where it is the table's in the balance.
        const double in_place = masses.at("mass_free")[time] + masses.at("mass_dissolved")[time];
        const auto injected = static_cast<double>(expected.injected_mass[time]);
        EXPECT_NEAR(in_place, injected, 5e-3 * injected);
        EXPECT_LT(masses.at("mass_trapped")[time], masses.at("mass_free")[time]);
    }
}

}  // namespace
}  // namespace plumecast
