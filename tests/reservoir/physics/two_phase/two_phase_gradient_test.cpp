
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "core/units.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/time_steps.hpp"
#include "reservoir/physics/two_phase/adjoint/case_gradient.hpp"
#include "reservoir/physics/two_phase/adjoint/recorded_case.hpp"
#include "reservoir/physics/two_phase/extreme_cases.hpp"
#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

namespace plumecast {
namespace {

/// Layers in rings that CO2 does not pass a billion times over in a step, which would cost the differences nine digits.
RadialCase layers_in_wide_rings(std::size_t rows, std::size_t columns, unsigned seed) {
    RadialCase radial = layered_radial_case(rows, columns, seed, {4.0, 100.0, 3.0});
    for (std::size_t i = 0; i <= columns; ++i) {
        radial.r_edges[i] = 10.0 * std::pow(1e3, static_cast<double>(i) / static_cast<double>(columns));
    }
    radial.injection_rate = 0.1 * static_cast<double>(rows);
    return radial;
}

/// The same with an inactive row below, a row that the well does not open, and an inactive cell.
RadialCase wide_rings_with_inactive_cells() {
    RadialCase radial = layers_in_wide_rings(5, 12, 3);
    std::fill_n(radial.active.begin() + 48, 12, 0);
    radial.active[18] = 0;
    radial.perforation[12] = 0.0;
    radial.initial_pressure = 206.9;  // at 200 bar a cell stands within 1e-6 of a row of the table, where slopes jump
    return radial;
}

/// With saturations weighed as much as bars.
PhysicsCotangents drawn_weights(const RadialCase& radial, const std::vector<std::string>& names) {
    PhysicsCotangents weights = random_physics_weights(radial, names);
    if (const auto found = weights.fields.find("physics_gas_saturation"); found != weights.fields.end()) {
        for (double& weight : found->second) {
            weight *= 30.0;
        }
    }
    return weights;
}

/// The derivative of the equations as they stand: differences that are small enough take no cell across a row of the
/// table of CO2.
RadialCaseGradient exact_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& weights,
                                  const two_phase::Formulation& formulation = {}) {
    return two_phase::case_gradient(radial, substeps, weights, "the case", two_phase::TableSlopes::piecewise,
                                    formulation);
}

/// Trapped part of the saturation of each cell, with hysteresis.
std::vector<double> trapped_saturation(const two_phase::Simulation& simulation, const two_phase::State& state) {
    std::vector<double> values(state.peak.size());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = std::min(state.saturation[cell], simulation.curves().land().trapped(state.peak[cell]));
    }
    return values;
}

/// Dissolved CO2 per pore volume [kg/m3] of each cell.
std::vector<double> dissolved_co2(const two_phase::State& state) {
    std::vector<double> values(state.dissolved.size());
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = state.dissolved[cell] * (1.0 - state.saturation[cell]);
    }
    return values;
}

/// The weighted sum of fields in double precision, by steps that are solved as those of the gradient are.
double exact_sum(const RadialCase& radial, int substeps, const PhysicsCotangents& weights,
                 const two_phase::Formulation& formulation) {
    const two_phase::RecordedCase recorded = two_phase::recorded_case(radial, substeps, "the case", formulation);
    double sum = 0.0, squares = 0.0;
    std::vector<double> buildup(radial.times.size() * radial.cells());
    for (const auto& [steps, snapshot, share] : recorded.shares()) {
        const two_phase::State& state = recorded.state(steps);
        const auto add = [&](const char* name, const std::vector<double>& values) {
            if (const auto found = weights.fields.find(name); found != weights.fields.end()) {
                const std::vector<double> by = recorded.get(snapshot, found->second);
                for (std::size_t cell = 0; cell < values.size(); ++cell) {
                    sum += share * by[cell] * values[cell];
                }
            }
        };
        add("physics_pressure_buildup", state.buildup);
        add("physics_gas_saturation", state.saturation);
        add("physics_dissolved_co2", dissolved_co2(state));
        add("physics_trapped_gas_saturation", trapped_saturation(recorded.simulation(), state));
        recorded.add(snapshot, share, state.buildup, buildup);
    }
    for (const double value : buildup) {
        squares += value * value;
    }
    const auto active = static_cast<double>(std::ranges::count_if(radial.active, [](char cell) { return cell != 0; }));
    const InjectionFluids fluids = injection_fluids(radial);
    const std::map<std::string, double> scalars = {
        {"physics_buildup_rms", std::sqrt(squares / (active * static_cast<double>(radial.times.size())))},
        {"physics_viscosity_ratio", fluids.viscosity_ratio()},
        {"physics_co2_density", fluids.co2_density}};
    for (const auto& [name, weight] : weights.scalars) {
        sum += weight * scalars.at(name);
    }
    return sum;
}

/// Differences of the derivatives by the logarithm of an input, in the root of squares over its cells, relative to
/// their size or to a thousandth of that by the rate.
class Differences {
   public:
    Differences(const RadialCase& radial, int substeps, const PhysicsCotangents& weights, double step,
                const two_phase::Formulation& formulation = {})
        : radial_(radial), substeps_(substeps), weights_(weights), step_(step), formulation_(formulation) {
        least_ = 1e-3 * std::abs(difference(radial_.injection_rate));
        for (double& rate : radial_.schedule.rates) {
            least_ = std::max(least_, 1e-3 * std::abs(difference(rate)));
        }
    }

    double by(std::vector<double>& input, const std::vector<double>& slopes) {
        double off = 0.0, size = 0.0;
        for (std::size_t i = 0; i < input.size(); ++i) {
            if (input.size() != radial_.cells() || radial_.active[i] != 0) {
                const double found = difference(input[i]);
                off += std::pow(found - slopes[i] * input[i], 2);
                size += found * found;
            }
        }
        return std::sqrt(off) / std::max(std::sqrt(size), least_);
    }
    double by(double& input, double slope) {
        const double found = difference(input);
        return std::abs(found - slope * input) / std::max(std::abs(found), least_);
    }
    RadialCase& radial() { return radial_; }

   private:
    double difference(double& input) {
        const double value = input;
        const auto at = [&](double change) {
            input = value * (1.0 + change);
            const double sum = exact_sum(radial_, substeps_, weights_, formulation_);
            input = value;
            return sum;
        };
        return (at(step_) - at(-step_)) / (2.0 * step_);
    }

    RadialCase radial_;
    int substeps_;
    const PhysicsCotangents& weights_;
    double step_;
    two_phase::Formulation formulation_;
    double least_ = 0.0;
};

// Longer changes of the initial pressure take a face of two rows to where its gas comes from the other side.
constexpr double within_the_sides = 1e-6;

void expect_two_phase_gradient(const RadialCase& given, int substeps, const PhysicsCotangents& weights,
                               double step = 1e-5, double bound = 1e-4,
                               const two_phase::Formulation& formulation = {}) {
    const RadialCaseGradient gradient = exact_gradient(given, substeps, weights, formulation);
    Differences differences(given, substeps, weights, step, formulation);
    Differences of_pressure(given, substeps, weights, std::min(step, within_the_sides), formulation);
    RadialCase& radial = differences.radial();
    std::vector<std::pair<std::string, double>> found = {
        {"permeability_r", differences.by(radial.permeability_r, gradient.permeability_r)},
        {"permeability_z", differences.by(radial.permeability_z, gradient.permeability_z)},
        {"porosity", differences.by(radial.porosity, gradient.porosity)},
        {"perforation", differences.by(radial.perforation, gradient.perforation)},
        {"injection_rate", differences.by(radial.injection_rate, gradient.injection_rate)},
        {"rates", differences.by(radial.schedule.rates, gradient.rates)},
        {"initial_pressure", of_pressure.by(of_pressure.radial().initial_pressure, gradient.initial_pressure)},
        {"temperature", differences.by(radial.temperature, gradient.temperature)},
        {"irreducible_water_saturation",
         differences.by(radial.irreducible_water_saturation, gradient.irreducible_water_saturation)},
        {"van_genuchten_lambda", differences.by(radial.van_genuchten_lambda, gradient.van_genuchten_lambda)},
        {"salinity", differences.by(radial.salinity, gradient.salinity)},
        {"residual_gas_saturation", differences.by(radial.residual_gas_saturation, gradient.residual_gas_saturation)}};
    if (given.has_pressure_limit()) {
        found.emplace_back("bottom_hole_pressure_limit", of_pressure.by(of_pressure.radial().bottom_hole_pressure_limit,
                                                                        gradient.bottom_hole_pressure_limit));
    }
    for (const auto& [name, difference] : found) {
        EXPECT_LT(difference, bound) << name;
        ::testing::Test::RecordProperty(name, std::to_string(difference));
    }
}

const std::vector<std::string> all_fields = physics_field_names(PhysicsKind::two_phase);

TEST(TwoPhaseGradient, IsThatOfEachField) {
    const RadialCase radial = layers_in_wide_rings(4, 10, 1);
    for (const std::string& field : all_fields) {
        SCOPED_TRACE(field);
        const bool is_saturation = field == "physics_gas_saturation";  // which bends most
        expect_two_phase_gradient(radial, 1, drawn_weights(radial, {field}), is_saturation ? 5e-7 : within_the_sides);
    }
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherInTwoSteps) {
    const RadialCase radial = layers_in_wide_rings(3, 12, 2);
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields), within_the_sides);
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherInBrine) {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.salinity = 0.12;
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, 2, weights, within_the_sides);
    EXPECT_NE(exact_gradient(radial, 2, weights).salinity, 0.0);
}

TEST(TwoPhaseGradient, IsThatOfOneRow) {
    const RadialCase radial = layers_in_wide_rings(1, 16, 4);
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields));
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherWithInactiveCells) {
    RadialCase radial = wide_rings_with_inactive_cells();
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, 2, weights, within_the_sides);
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
    Differences differences(radial, 1, weights, 1e-3);
    EXPECT_LT(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-4);
}

/// A ramp, a pause and a stop with eleven years after it; times in each of them.
RadialCase ramp_pause_and_stop() {
    RadialCase radial = layers_in_wide_rings(3, 12, 2);
    radial.times = {2.0, 40.0, 300.0, 700.0, 4800.0};
    radial.schedule = {{1.0, 20.0, 60.0, 350.0, 600.0}, {0.1, 0.3, 0.0, 0.25, 0.4}};
    return radial;
}

/// The adjoint goes back through whatever steps were taken: of few, which are counted by snapshots, the differences are
/// sharp.
constexpr two_phase::Formulation by_few_steps{.grows_from = 0.0, .longest_at_rest = 5.0 * days_per_year};

TEST(TwoPhaseGradient, IsThatOfEachFieldThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 197.45;  // where no face is about to change its side
    // The rounding of long steps counts most in build-ups that have fallen off, which take longer changes.
    const std::vector<std::pair<std::string, double>> changes = {
        {"physics_pressure_buildup", 4e-5}, {"physics_gas_saturation", 4e-6}, {"physics_dissolved_co2", 4e-6}};
    for (const auto& [field, change] : changes) {
        SCOPED_TRACE(field);
        expect_two_phase_gradient(radial, 2, drawn_weights(radial, {field}), change, 1e-4, by_few_steps);
    }
}

/// The plan of the present version: more steps where snapshots are few, short ones at rest.
TEST(TwoPhaseGradient, IsThatOfGasAndDissolvedCo2ByThePresentStepsThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.initial_pressure = 198.1;  // where no face is about to change its side
    expect_two_phase_gradient(radial, 1, drawn_weights(radial, {"physics_gas_saturation", "physics_dissolved_co2"}),
                              within_the_sides);
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherThroughRampPauseAndStop) {
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 203.3;  // where no face is about to change its side
    PhysicsCotangents weights = drawn_weights(radial, all_fields);
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_two_phase_gradient(radial, 2, weights, within_the_sides, 1e-4, by_few_steps);
}

TEST(TwoPhaseGradient, IsThatOfEachFieldOfAWellAtItsLimit) {
    RadialCase radial = layers_in_wide_rings(4, 10, 1);
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 4.0;
    for (const std::string& field : all_fields) {
        SCOPED_TRACE(field);
        const PhysicsCotangents weights = drawn_weights(radial, {field});
        expect_two_phase_gradient(radial, 1, weights, 1e-5, 1e-4, by_few_steps);
        const RadialCaseGradient gradient = exact_gradient(radial, 1, weights);
        EXPECT_NE(gradient.bottom_hole_pressure_limit, 0.0);
    }
}

TEST(TwoPhaseGradient, IsThatOfAllTogetherWhereALimitIsReachedAndLeft) {
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 198.1;  // where no face is about to change its side
    radial.bottom_hole_pressure_limit = radial.initial_pressure + 2.0;
    // Differences by the limit itself differ by a thousandth between 1e-4 and 4e-4 bar: cells pass kinks.
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields), within_the_sides, 2e-3);
}

/// That of the physics that trained models correct.
TEST(TwoPhaseGradient, IsThatOfEarlierVersions) {
    const RadialCase constant = layers_in_wide_rings(3, 12, 2);
    expect_two_phase_gradient(constant, 2, drawn_weights(constant, all_fields), within_the_sides, 1e-4,
                              two_phase::formulation_of(1));
    RadialCase radial = ramp_pause_and_stop();
    radial.salinity = 0.12;
    radial.initial_pressure = 205.7;  // where no face is about to change its side
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields), within_the_sides, 1e-4,
                              two_phase::formulation_of(2));
    expect_two_phase_gradient(radial, 2, drawn_weights(radial, all_fields), within_the_sides, 1e-4,
                              two_phase::formulation_of(3));
}

TEST(TwoPhaseGradient, IsThatOfEachFieldWithHysteresis) {
    RadialCase radial = ramp_pause_and_stop();
    radial.residual_gas_saturation = 0.27;
    radial.initial_pressure = 204.6;  // where no face is about to change its side
    for (const char* field : {"physics_pressure_buildup", "physics_gas_saturation", "physics_dissolved_co2",
                              "physics_trapped_gas_saturation"}) {
        SCOPED_TRACE(field);
        const PhysicsCotangents weights = drawn_weights(radial, {field});
        const bool is_buildup = std::string_view(field) == "physics_pressure_buildup";  // as above
        expect_two_phase_gradient(radial, 2, weights, is_buildup ? 4e-5 : within_the_sides, 1e-4,
                                  {.times_at_end = 1,
                                   .grows_from = by_few_steps.grows_from,
                                   .longest_at_rest = by_few_steps.longest_at_rest});
        EXPECT_NE(exact_gradient(radial, 2, weights).residual_gas_saturation, 0.0);
    }
}

TEST(TwoPhaseGradient, IsContinuousWhereHysteresisBegins) {
    RadialCase radial = ramp_pause_and_stop();
    const auto by_residual_gas = [&](double residual) {
        radial.residual_gas_saturation = residual;
        return exact_gradient(radial, 2, drawn_weights(radial, all_fields)).residual_gas_saturation;
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
    EXPECT_THROW(two_phase_gradient(radial, 1, drawn_weights(radial, all_fields), "case", 99), InvalidInput);
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
    Differences differences(radial, 1, weights, 1e-3);
    EXPECT_LT(differences.by(differences.radial().schedule.rates[2], gradient.rates[2]), 1e-3);
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
    bool is_strict = false;
    std::size_t halved = 0, forgotten = 0;

    Trouble(const RadialCase& radial, int substeps, const two_phase::Formulation& formulation) {
        try {
            two_phase::RecordedCase(radial, substeps, "the case", two_phase::Acceptance::usual, formulation);
        } catch (const NotConverged&) {
            is_strict = true;
        }
        const two_phase::RecordedCase recorded = two_phase::recorded_case(radial, substeps, "the case", formulation);
        std::size_t asked = 0;
        double now = 0.0;
        for (const double time : radial.times) {
            asked += step_ends(now, time, substeps).size();
            now = time;
        }
        halved = recorded.steps().size() - asked;
        forgotten = static_cast<std::size_t>(std::ranges::count(recorded.steps(), two_phase::Volumes::forget,
                                                                [](const auto& step) { return step.volumes; }));
    }
};

// The steps that a case takes with difficulty are gone back through as they were taken; long ones, of version 4, are.
TEST(TwoPhaseGradient, IsThatOfHalvedStepsForgottenVolumesAndStricterSteps) {
    std::size_t strict = 0, halved = 0, forgotten = 0;
    const two_phase::Formulation formulation = two_phase::formulation_of(4);
    for (const std::uint64_t which : {26, 33, 121, 142, 178}) {
        SCOPED_TRACE(which);
        const RadialCase radial = ExtremeCases(17, which).draw();
        const Trouble trouble(radial, 2, formulation);
        strict += trouble.is_strict ? 1 : 0;
        halved += trouble.halved > 0 ? 1 : 0;
        EXPECT_GT(
            two_phase_gradient(radial, 2, random_physics_weights(radial, all_fields), "the case", 4).retaken_steps, 0);
        forgotten += trouble.forgotten > 0 ? 1 : 0;
        const PhysicsCotangents weights = random_physics_weights(radial, all_fields);
        const RadialCaseGradient gradient = exact_gradient(radial, 2, weights, formulation);
        Differences differences(radial, 2, weights, 1e-6, formulation);
        EXPECT_LT(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-3);
        EXPECT_LT(differences.by(differences.radial().porosity, gradient.porosity), 1e-3);
    }
    EXPECT_GE(strict, 1U);
    EXPECT_GE(halved, 4U);
    EXPECT_GE(forgotten, 3U);
}

TEST(TwoPhaseGradient, IsThatOfSnapshotsWithinHalvedSteps) {
    const RadialCase radial = ExtremeCases(17, 33).draw();
    const two_phase::RecordedCase recorded = two_phase::recorded_case(radial, 2, "the case");
    EXPECT_TRUE(std::ranges::any_of(recorded.shares(), [&](const two_phase::RecordedCase::Share& of) {
        return of.steps > 0 && of.share < 1.0 && recorded.steps()[of.steps - 1].halvings > 0;
    }));
    const PhysicsCotangents weights = random_physics_weights(radial, all_fields);
    const RadialCaseGradient gradient = exact_gradient(radial, 2, weights);
    Differences differences(radial, 2, weights, 1e-6);
    EXPECT_LT(differences.by(differences.radial().injection_rate, gradient.injection_rate), 1e-5);
    EXPECT_LT(differences.by(differences.radial().porosity, gradient.porosity), 1e-5);
}

TEST(TwoPhaseGradient, IsThatOfTheFieldsOfThePhysics) {
    const RadialCase radial = wide_rings_with_inactive_cells();
    const PhysicsFields fields = reduced_physics(radial, {PhysicsKind::two_phase, 2}, "the case");
    const two_phase::RecordedCase recorded = two_phase::recorded_case(radial, 2, "the case");
    std::vector<double> buildup(radial.times.size() * radial.cells()), saturation = buildup;
    for (const auto& [steps, snapshot, share] : recorded.shares()) {
        recorded.add(snapshot, share, recorded.state(steps).buildup, buildup);
        recorded.add(snapshot, share, recorded.state(steps).saturation, saturation);
    }
    const auto& expected = fields.fields;
    for (std::size_t i = 0; i < buildup.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(expected.at("physics_pressure_buildup")[i]), buildup[i], 1e-2) << i;
        EXPECT_NEAR(static_cast<double>(expected.at("physics_gas_saturation")[i]), saturation[i], 1e-3) << i;
    }
}

TEST(TwoPhaseGradient, RefusesWeightsOfOtherFields) {
    const RadialCase radial = layers_in_wide_rings(2, 4, 7);
    EXPECT_THROW(two_phase_gradient(radial, 1, drawn_weights(radial, {"physics_front_height"})), InvalidInput);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{{"physics_gas_saturation", {1.0}}}, {}}), InvalidInput);
    EXPECT_THROW(two_phase_gradient(radial, 1, {{}, {{"temperature", 1.0}}}), InvalidInput);
}

}  // namespace
}  // namespace plumecast
