
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/extreme_cases.hpp"
#include "reservoir/physics/two_phase/gradient_differences.hpp"
#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

namespace plumecast {
namespace {

const std::vector<std::string> all_fields = physics_field_names();

TEST(TwoPhaseGradient, IsThatOfEachField) {
    const RadialCase radial = layers_in_wide_rings(4, 10, 1);
    for (const std::string& field : all_fields) {
        SCOPED_TRACE(field);
        expect_two_phase_gradient(radial, 1, drawn_weights(radial, {field}));
    }
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherInTwoSteps) {
    const RadialCase radial = layers_in_wide_rings(3, 12, 2);
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields));
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherInBrine) {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.salinity = 0.12;
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, 2, weights);
    EXPECT_NE(exact_gradient(radial, 2, weights).salinity, 0.0);
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherWhereItGrowsWarmer) {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.salinity = 0.1;
    radial.rock_fluid.temperature_gradient = 0.15;
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields));
}

TEST(TwoPhaseGradient, IsThatOfOneRow) {
    const RadialCase radial = layers_in_wide_rings(1, 16, 4);
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields));
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherWithInactiveCells) {
    RadialCase radial = wide_rings_with_inactive_cells();
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, 2, weights);
    const RadialCaseGradient gradient = exact_gradient(radial, 2, weights);
    for (const std::size_t cell : {18U, 48U, 59U}) {
        EXPECT_EQ(gradient.permeability_r[cell], 0.0) << cell;
        EXPECT_EQ(gradient.permeability_z[cell], 0.0) << cell;
        EXPECT_EQ(gradient.porosity[cell], 0.0) << cell;
    }
}

TEST(TwoPhaseGradient, IsFiniteWithoutInjectionAndThatOfTheLeastByTheRate) {
    RadialCase radial = layers_in_wide_rings(2, 8, 6);
    radial.injection_rate = 0.0;
    const PhysicsCotangents weights = drawn_weights(radial, all_fields);
    const RadialCaseGradient gradient = exact_gradient(radial, 1, weights);
    for (const auto* map : {&gradient.permeability_r, &gradient.permeability_z, &gradient.porosity}) {
        EXPECT_TRUE(std::ranges::all_of(*map, [](double value) { return std::isfinite(value); }));
    }
    EXPECT_NE(gradient.injection_rate, 0.0);
    radial.injection_rate = 1e-6;
    Differences differences(radial, two_phase::step_count(radial, 1), weights);
    EXPECT_EQ(
        expect_agreement(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-4, 1e-3), 0U);
}

TEST(TwoPhaseGradient, IsThatOfEachFieldThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 195.4;  // where no face is about to change its side
    for (const std::string& field : all_fields) {
        SCOPED_TRACE(field);
        expect_two_phase_gradient(radial, few_steps(2, 300.0), drawn_weights(radial, {field}));
    }
}

/// The plan of the present version: more steps where snapshots are few, short ones at rest.
TEST(TwoPhaseGradient, IsThatOfGasAndDissolvedCo2ByThePresentStepsThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 195.5;  // where no face is about to change its side
    expect_two_phase_gradient(radial, 1, drawn_weights(radial, {"physics_gas_saturation", "physics_dissolved_co2"}));
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 205.85;  // where no face is about to change its side
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, few_steps(2), weights);
}

TEST(TwoPhaseGradient, IsThatOfEachFieldOfAWellAtItsLimit) {
    RadialCase radial = layers_in_wide_rings(4, 10, 1);
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 5.0;
    for (const std::string& field : all_fields) {
        SCOPED_TRACE(field);
        const PhysicsCotangents weights = drawn_weights(radial, {field});
        expect_two_phase_gradient(radial, few_steps(3, 300.0), weights);
        const RadialCaseGradient gradient = exact_gradient(radial, 1, weights);
        EXPECT_NE(gradient.bottom_hole_pressure_limit, 0.0);
    }
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherWhereALimitIsReachedAndLeft) {
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 198.1;  // where no face is about to change its side
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 2.0;
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields), 2e-3);
}

TEST(TwoPhaseGradient, IsThatOfEachFieldWhereDissolutionIsLimited) {
    RadialCase radial = layers_in_wide_rings(4, 10, 1);
    radial.initial_pressure = 197.4;  // where no cell is about to come to what brine can hold
    for (const double limit : {1.0, 10.0}) {
        radial.dissolution_rate_limit = limit;
        for (const std::string& field : all_fields) {
            SCOPED_TRACE(field);
            const PhysicsCotangents weights = drawn_weights(radial, {field});
            expect_two_phase_gradient(radial, few_steps(1), weights);
            EXPECT_NE(exact_gradient(radial, few_steps(1), weights).dissolution_rate_limit, 0.0);
        }
    }
}

/// The limit holds cells at first; a part of them comes to what brine can hold.
TEST(TwoPhaseGradient, IsThatOfAllTogetherWhereDissolutionIsLimitedThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 198.1;  // where no face is about to change its side
    radial.dissolution_rate_limit = 8.0;
    expect_two_phase_gradient(radial, few_steps(2), drawn_weights(radial, all_fields));
}

TEST(TwoPhaseGradient, IsThatOfEachFieldWithHysteresis) {
    RadialCase radial = ramp_pause_and_stop();
    radial.residual_gas_saturation = 0.27;
    radial.initial_pressure = 202.0;  // where no face is about to change its side
    for (const char* field : {"physics_pressure_buildup", "physics_gas_saturation", "physics_dissolved_co2",
                              "physics_trapped_gas_saturation"}) {
        SCOPED_TRACE(field);
        const PhysicsCotangents weights = drawn_weights(radial, {field});
        expect_two_phase_gradient(radial, few_steps(2, 120.0, 1), weights);
        EXPECT_NE(exact_gradient(radial, 2, weights).residual_gas_saturation, 0.0);
    }
}

TEST(TwoPhaseGradient, IsContinuousWhereHysteresisBegins) {
    RadialCase radial = ramp_pause_and_stop();
    const auto by_residual_gas = [&](double residual) {
        radial.residual_gas_saturation = residual;
        return exact_gradient(radial, 1, drawn_weights(radial, all_fields)).residual_gas_saturation;
    };
    // As a data set has it, a little above what drainage leaves.
    const double beginning = by_residual_gas(static_cast<double>(0.05F)), beyond = by_residual_gas(0.05001);
    EXPECT_NE(beginning, 0.0);
    EXPECT_NEAR(beginning, beyond, 0.01 * std::abs(beyond));
}

TEST(TwoPhaseGradient, RefusesWeightsOfTrappedGasWithoutHysteresis) {
    RadialCase radial = layers_in_wide_rings(2, 4, 7);
    const PhysicsCotangents weights = drawn_weights(radial, {"physics_trapped_gas_saturation"});
    EXPECT_THROW(two_phase_gradient(radial, 1, weights), InvalidInput);
    radial.residual_gas_saturation = 0.2;
    EXPECT_NO_THROW(two_phase_gradient(radial, 1, weights));
}

TEST(TwoPhaseGradient, HasRatesOfPeriodsAndNoneBesideThem) {
    RadialCase radial = ramp_pause_and_stop();
    const PhysicsCotangents weights = drawn_weights(radial, all_fields);
    const RadialCaseGradient gradient = exact_gradient(radial, 1, weights);
    ASSERT_EQ(gradient.rates.size(), 5U);
    EXPECT_EQ(gradient.injection_rate, 0.0);
    // In a pause the derivative is that of the least rate.
    radial.schedule.rates[2] = 1e-6;
    EXPECT_DOUBLE_EQ(exact_gradient(radial, 1, weights).rates[2], gradient.rates[2]);
    Differences differences(radial, two_phase::step_count(radial, 1), weights);
    const double found = differences.central(differences.radial().schedule.rates[2], 1e-3);
    EXPECT_NEAR(found, 1e-6 * gradient.rates[2], 1e-3 * std::abs(found));
    // What is injected after the last time changes nothing.
    radial.times.resize(3);
    const RadialCaseGradient earlier = exact_gradient(radial, 1, drawn_weights(radial, all_fields));
    EXPECT_NE(earlier.rates[3], 0.0);
    EXPECT_EQ(earlier.rates[4], 0.0);
}

TEST(TwoPhaseGradient, IsSharedByNeighboursOfEqualRates) {
    RadialCase radial = ramp_pause_and_stop();
    const PhysicsCotangents weights = drawn_weights(radial, all_fields);
    const RadialCaseGradient joined = exact_gradient(radial, 1, weights);
    radial.schedule = {{1.0, 20.0, 60.0, 100.0, 350.0, 600.0}, {0.1, 0.3, 0.0, 0.25, 0.25, 0.4}};
    const RadialCaseGradient apart = exact_gradient(radial, 1, weights);
    ASSERT_EQ(apart.rates.size(), 6U);
    EXPECT_EQ(apart.porosity, joined.porosity);
    EXPECT_NE(apart.rates[3], 0.0);
    EXPECT_NE(apart.rates[4], 0.0);
    EXPECT_NEAR(apart.rates[3] + apart.rates[4], joined.rates[3], 1e-12 * std::abs(joined.rates[3]));
    EXPECT_EQ(apart.rates[5], joined.rates[4]);
}

TEST(TwoPhaseGradient, HasRatesAfterTheLastInjection) {
    RadialCase radial = ramp_pause_and_stop();
    const PhysicsCotangents weights = drawn_weights(radial, all_fields);
    const RadialCaseGradient without = exact_gradient(radial, 1, weights);
    radial.schedule.ends.push_back(700.0);
    radial.schedule.rates.push_back(0.0);
    const RadialCaseGradient with = exact_gradient(radial, 1, weights);
    EXPECT_EQ(with.porosity, without.porosity);
    EXPECT_EQ(with.rates[4], without.rates[4]);
    // As in a pause it is that of the least rate, in all periods without injection together.
    radial.schedule.rates[2] = radial.schedule.rates[5] = 1e-6;
    EXPECT_DOUBLE_EQ(with.rates[5], exact_gradient(radial, 1, weights).rates[5]);
    EXPECT_NE(with.rates[5], 0.0);
}

TEST(TwoPhaseGradient, OfOnePeriodIsThatOfAConstantRate) {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    const PhysicsCotangents weights = drawn_weights(radial, all_fields);
    const RadialCaseGradient constant = exact_gradient(radial, 2, weights);
    EXPECT_TRUE(constant.rates.empty());
    radial.schedule = {{1e4}, {radial.injection_rate}};
    const RadialCaseGradient scheduled = exact_gradient(radial, 2, weights);
    ASSERT_EQ(scheduled.rates.size(), 1u);
    EXPECT_NEAR(scheduled.rates[0], constant.injection_rate, 1e-13 * std::abs(constant.injection_rate));
    EXPECT_EQ(scheduled.permeability_r, constant.permeability_r);
    EXPECT_EQ(scheduled.porosity, constant.porosity);
}

/// How the steps of a case came about.
struct Trouble {
    std::size_t halved = 0, deferred = 0;

    Trouble(const RadialCase& radial, const two_phase::StepCount& count) {
        const two_phase::RecordedCase recorded = two_phase::recorded_case(radial, count, "the case");
        halved = static_cast<std::size_t>(
            std::ranges::count_if(recorded.steps(), [](const auto& step) { return step.halvings > 0; }));
        deferred = static_cast<std::size_t>(std::ranges::count(recorded.steps(), two_phase::Volumes::defer,
                                                               [](const auto& step) { return step.volumes; }));
    }
};

// The steps that a case takes with difficulty are gone back through as they were taken.
TEST(TwoPhaseGradient, IsThatOfHalvedStepsAndDeferredVolumes) {
    std::size_t deferred = 0, rough_rates = 0;
    for (const std::uint64_t which : {35U, 55U, 64U, 121U}) {
        SCOPED_TRACE(which);
        const RadialCase radial = ExtremeCases(17, which).draw();
        const two_phase::StepCount count = two_phase::step_count(radial, 1);
        const Trouble trouble(radial, count);
        deferred += trouble.deferred > 0 ? 1 : 0;
        EXPECT_GT(trouble.halved, 0U);
        const PhysicsCotangents weights = random_physics_weights(radial, all_fields);
        const RadialCaseGradient gradient = exact_gradient(radial, count, weights);
        EXPECT_GT(gradient.retaken_steps, 0);
        Differences differences(radial, count, weights);
        rough_rates +=
            expect_agreement(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-5);
        // None where this was written; rounding, which differs between compilers, can bring a kink near.
        EXPECT_LE(expect_agreement(differences.by(differences.radial().porosity, gradient.porosity), 1e-5), 6U);
    }
    EXPECT_LE(rough_rates, 2U);
    EXPECT_GE(deferred, 1U);  // 2 where this was written; rounding leads a step elsewhere
}

TEST(TwoPhaseGradient, IsThatOfSnapshotsWithinHalvedSteps) {
    const RadialCase radial = ExtremeCases(17, 64).draw();
    const two_phase::RecordedCase recorded =
        two_phase::recorded_case(radial, two_phase::step_count(radial, 1), "the case");
    EXPECT_TRUE(std::ranges::any_of(recorded.shares(), [&](const two_phase::RecordedCase::Share& of) {
        return of.steps > 0 && of.share < 1.0 && recorded.steps()[of.steps - 1].halvings > 0;
    }));
    const PhysicsCotangents weights = random_physics_weights(radial, all_fields);
    const RadialCaseGradient gradient = exact_gradient(radial, 1, weights);
    Differences differences(radial, two_phase::step_count(radial, 1), weights);
    EXPECT_EQ(expect_agreement(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-5), 0U);
    EXPECT_EQ(expect_agreement(differences.by(differences.radial().porosity, gradient.porosity), 1e-5), 0U);
}

TEST(TwoPhaseGradient, IsThatOfTheFieldsOfThePhysics) {
    const RadialCase radial = wide_rings_with_inactive_cells();
    const PhysicsFields fields = reduced_physics(radial, {2}, "the case");
    const two_phase::RecordedCase recorded =
        two_phase::recorded_case(radial, two_phase::step_count(radial, 2), "the case");
    const LedgerFields recorded_fields = recorded.fields(radial.times.size());
    const std::vector<double>&buildup = recorded_fields.buildup, &saturation = recorded_fields.saturation;
    const auto& expected = fields.fields;
    for (std::size_t i = 0; i < buildup.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(expected.at("physics_pressure_buildup")[i]), buildup[i], 1e-2) << i;
        EXPECT_NEAR(static_cast<double>(expected.at("physics_gas_saturation")[i]), saturation[i], 1e-3) << i;
    }
}

TEST(TwoPhaseGradient, RefusesWeightsOfOtherFields) {
    const RadialCase radial = layers_in_wide_rings(2, 4, 7);
    EXPECT_THROW(two_phase_gradient(radial, 1, drawn_weights(radial, {"physics_trapped_gas_saturation"})),
                 InvalidInput);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{{"physics_gas_saturation", {1.0}}}, {}}), InvalidInput);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{}, {{"temperature", 1.0}}}), InvalidInput);
}

}  // namespace
}  // namespace plumecast
