#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/physics_errors.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/adaptive_steps.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

/// Layers to 100 km, thirty years and a hundred after.
RadialCase sand_for_a_century() {
    RadialCase radial = layered_radial_case(8, 24, 5, {4.0, 20.0, 3.0});
    for (std::size_t i = 0; i <= radial.columns(); ++i) {
        radial.r_edges[i] = 5.0 * std::pow(2e4, static_cast<double>(i) / static_cast<double>(radial.columns()));
    }
    radial.injection_rate = 0.3;
    radial.times.clear();
    for (const double year : {0.01, 0.1, 1.0, 3.0, 10.0, 20.0, 30.0, 31.0, 40.0, 60.0, 100.0, 130.0}) {
        radial.times.push_back(year * days_per_year);
    }
    return radial;
}

/// A ramp over two years, a pause in the twelfth, an end after thirty.
RadialCase century_with_pause_and_stop() {
    RadialCase radial = sand_for_a_century();
    for (const double year : {1.0, 2.0, 11.0, 12.0, 30.0}) {
        radial.schedule.ends.push_back(year * days_per_year);
    }
    radial.schedule.rates = {0.1, 0.2, 0.4, 0.0, 0.3};
    return radial;
}

double largest_at(const RadialCase& radial, const std::vector<float>& field, std::size_t time) {
    const auto first = field.begin() + static_cast<std::ptrdiff_t>(time * radial.cells());
    return static_cast<double>(*std::max_element(first, first + static_cast<std::ptrdiff_t>(radial.cells())));
}

void expect_same_bits(const TwoPhaseFields& a, const TwoPhaseFields& b) {
    EXPECT_EQ(a.pressure_buildup, b.pressure_buildup);
    EXPECT_EQ(a.gas_saturation, b.gas_saturation);
    EXPECT_EQ(a.dissolved_co2, b.dissolved_co2);
}

/// Largest difference of two fields.
double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double found = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        found = std::max(found, static_cast<double>(std::abs(a[i] - b[i])));
    }
    return found;
}

/// Mean difference over the values above a thousandth in either.
double mean_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::max(a[i], b[i]) > 1e-3F) {
            sum += static_cast<double>(std::abs(a[i] - b[i]));
            count += 1.0;
        }
    }
    return sum / count;
}

TEST(Schedules, OfOnePeriodBeyondTheLastTimeGiveTheBitsOfAConstantRate) {
    RadialCase radial = sand_for_a_century();
    const TwoPhaseFields constant = two_phase_fields(radial, 2, "the case");
    radial.schedule = {{2.0 * radial.times.back()}, {radial.injection_rate}};
    radial.injection_rate = 9.0;  // does not count beside a schedule
    const TwoPhaseFields scheduled = two_phase_fields(radial, 2, "the case");
    expect_same_bits(constant, scheduled);
    EXPECT_EQ(constant.steps, scheduled.steps);
}

TEST(Schedules, OfNearlyTheSameRateInTwoPeriodsChangeFieldsByTheStepsAlone) {
    RadialCase radial = sand_for_a_century();
    radial.times.resize(7);
    const TwoPhaseFields whole = two_phase_fields(radial, 4, "the case");
    radial.schedule = {{5.0 * days_per_year, 50.0 * days_per_year}, {0.3, 0.3}};
    expect_same_bits(whole, two_phase_fields(radial, 4, "the case"));  // one period
    radial.schedule.rates[1] += 1e-9;
    const TwoPhaseFields halves = two_phase_fields(radial, 4, "the case");
    EXPECT_GT(mean_difference(whole.gas_saturation, halves.gas_saturation), 1e-5);  // a rate apart by 3e-9 makes less
    EXPECT_LT(mean_difference(whole.gas_saturation, halves.gas_saturation), 5e-3);
    EXPECT_LT(largest_difference(whole.pressure_buildup, halves.pressure_buildup),
              0.03 * largest_at(radial, whole.pressure_buildup, 6));
}

TEST(Schedules, ConserveCo2ThroughRampPauseStopAndACentury) {
    const RadialCase radial = century_with_pause_and_stop();
    for (const int substeps : {1, 2, 3}) {
        const TwoPhaseFields fields = two_phase_fields(radial, substeps, "the case");
        EXPECT_LT(fields.mass_error, 1e-12);
        EXPECT_LT(fields.brine_error, 1e-12);
        EXPECT_TRUE(std::ranges::all_of(fields.gas_saturation, [](float value) { return std::isfinite(value); }));
        // Time grows by 1.36 some 35 times in all, five periods begin with more steps, and there are fifty times two
        // years; few are halved.
        EXPECT_LE(fields.steps, (35 + 5 * 2) * substeps + 52);
    }
}

TEST(Schedules, LetPressureFallGasSpreadAndCo2DissolveAfterTheStop) {
    const RadialCase radial = century_with_pause_and_stop();
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    const std::size_t stop = 6, cells = radial.cells();
    const auto sum = [&](const std::vector<float>& field, std::size_t time) {
        double found = 0.0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
            const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
            found += static_cast<double>(field[time * cells + cell]) * radial.porosity[cell] *
                     (outer * outer - inner * inner) * (radial.z_edges[row + 1] - radial.z_edges[row]);
        }
        return found;
    };
    const auto reached = [&](std::size_t time) {
        std::size_t found = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            found =
                fields.gas_saturation[time * cells + cell] > 0.01F ? std::max(found, cell % radial.columns()) : found;
        }
        return found;
    };
    for (std::size_t time = stop + 1; time < radial.times.size(); ++time) {
        EXPECT_LT(largest_at(radial, fields.pressure_buildup, time),
                  largest_at(radial, fields.pressure_buildup, time - 1));
        EXPECT_GT(sum(fields.dissolved_co2, time), sum(fields.dissolved_co2, time - 1));
        EXPECT_GE(reached(time), reached(time - 1));
    }
    EXPECT_LT(largest_at(radial, fields.pressure_buildup, stop + 1),
              0.4 * largest_at(radial, fields.pressure_buildup, stop));
    EXPECT_GT(reached(radial.times.size() - 1), reached(stop));
}

TEST(Schedules, TakeThePressureOffInAPauseAndBringItBack) {
    RadialCase radial = century_with_pause_and_stop();
    radial.times = {10.9 * days_per_year, 11.9 * days_per_year, 14.0 * days_per_year};
    const TwoPhaseFields fields = two_phase_fields(radial, 4, "the case");
    EXPECT_LT(largest_at(radial, fields.pressure_buildup, 1), 0.3 * largest_at(radial, fields.pressure_buildup, 0));
    EXPECT_GT(largest_at(radial, fields.pressure_buildup, 2), 2.0 * largest_at(radial, fields.pressure_buildup, 1));
}

TEST(Schedules, ShutTheWellWhileNothingIsInjectedAndOpenItAgain) {
    const RadialCase radial = century_with_pause_and_stop();
    two_phase::Simulation simulation(radial);
    const auto is_shut = [&] { return std::ranges::count(simulation.state().is_shut, true); };
    const auto rows = static_cast<std::ptrdiff_t>(radial.rows());
    EXPECT_EQ(is_shut(), rows);
    for (const double rate : {1e5, 2e5, 0.0, 1e5}) {
        simulation.inject(rate);
        ASSERT_TRUE(simulation.advance(10.0));
        if (rate > 0.0) {
            EXPECT_LT(is_shut(), rows);
            const auto& shares = simulation.state().inflow;
            EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12);
        } else {
            EXPECT_EQ(is_shut(), rows);
        }
    }
    EXPECT_NEAR(simulation.mass_in_place() / 4e6, 1.0, 1e-12);
}

/// Largest volume of gas and brine of a cell beyond its pores, per pore volume, by equation (26).
double largest_volume_beyond(const two_phase::Simulation& simulation) {
    const two_phase::FluidTable& fluids = simulation.fluids()[0];
    const two_phase::Reservoir& reservoir = simulation.reservoir();
    const two_phase::State& state = simulation.state();
    double largest = 0.0;
    for (std::size_t cell = 0; cell < reservoir.cells(); ++cell) {
        const double density =
            fluids.at(reservoir.initial_pressure[cell % reservoir.rows] + state.buildup[cell]).density;
        const double gas = two_phase::free_volume(state.mass[cell], simulation.dissolved(cell), density);
        const double content =
            two_phase::brine_content(fluids.brine_density, fluids.brine_compressibility, fluids.dissolved_density,
                                     state.buildup[cell], state.dissolved[cell]);
        largest =
            std::max(largest, std::abs(two_phase::volume_beyond(gas, state.brine[cell] / content, state.buildup[cell],
                                                                reservoir.rock_compressibility)));
    }
    return largest;
}

TEST(Schedules, LeaveLittleVolumeBeyondThePoresAndMakeUpForWhatAStepDefers) {
    two_phase::Simulation simulation(century_with_pause_and_stop());
    simulation.inject(1e6);
    for (int step = 0; step < 20; ++step) {
        ASSERT_TRUE(simulation.advance(20.0));
    }
    const double usual = largest_volume_beyond(simulation);
    EXPECT_LT(usual, 5e-4);
    for (int step = 0; step < 4; ++step) {
        ASSERT_TRUE(simulation.advance(20.0, two_phase::Volumes::defer));
    }
    EXPECT_GT(largest_volume_beyond(simulation), 5.0 * usual);
    for (int step = 0; step < 8; ++step) {
        ASSERT_TRUE(simulation.advance(20.0));
    }
    EXPECT_LT(largest_volume_beyond(simulation), usual);
    EXPECT_NEAR(simulation.mass_in_place() / (32 * 20.0 * 1e6), 1.0, 1e-12);
}

TEST(Schedules, StartLateOrNotAtAll) {
    RadialCase radial = sand_for_a_century();
    radial.times = {100.0, 1000.0, 4000.0};
    radial.schedule = {{500.0, 3000.0}, {0.0, 0.3}};
    const TwoPhaseFields late = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(late.mass_error, 1e-12);
    EXPECT_LT(late.brine_error, 1e-12);
    EXPECT_EQ(largest_at(radial, late.gas_saturation, 0), 0.0);
    EXPECT_GT(largest_at(radial, late.gas_saturation, 1), 0.1);
    radial.schedule.rates = {0.0, 0.0};
    const TwoPhaseFields never = two_phase_fields(radial, 2, "the case");
    EXPECT_EQ(never.mass_error, 0.0);
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        EXPECT_EQ(largest_at(radial, never.gas_saturation, time), 0.0);
        EXPECT_LT(std::abs(largest_at(radial, never.pressure_buildup, time)), 1e-9);
    }
}

TEST(Schedules, ConvergeWithTheSteps) {
    const RadialCase radial = century_with_pause_and_stop();
    const TwoPhaseFields finest = two_phase_fields(radial, 32, "the case");
    const TwoPhaseFields few = two_phase_fields(radial, 2, "the case"), more = two_phase_fields(radial, 8, "the case");
    EXPECT_LT(mean_difference(more.gas_saturation, finest.gas_saturation),
              0.5 * mean_difference(few.gas_saturation, finest.gas_saturation));
    EXPECT_LT(mean_difference(more.pressure_buildup, finest.pressure_buildup),
              0.5 * mean_difference(few.pressure_buildup, finest.pressure_buildup));
}

TEST(Schedules, HaveErrorsByTheLargestRate) {
    RadialCase radial = sand_for_a_century();
    radial.times.resize(5);
    const PhysicsSettings settings{2};
    radial.schedule = {{radial.times.back()}, {0.3}};
    radial.injection_rate = 0.0;
    const PhysicsFields fields = reduced_physics(radial, settings, "the case");
    EXPECT_GT(physics_errors(radial, fields, settings, {0.01, 0.01, 0.01}).gas_saturation, 0.0);
    RadialCase constant = radial;
    constant.schedule = {};
    constant.injection_rate = 0.3;
    EXPECT_EQ(injection_fluids(radial).volume_rate, injection_fluids(constant).volume_rate);
}

TEST(Version7, IsTheOnlyOne) {
    try {
        reduced_physics(sand_for_a_century(), {2, 6}, "case 3");
        ADD_FAILURE() << "version 6 was computed";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("case 3: physics.version is 6"));
    }
}

/// Sums of the fields as they were when models were calibrated that correct them.
TEST(Version7, KeepsItsFields) {
    const auto sum = [](const std::vector<float>& field) { return std::accumulate(field.begin(), field.end(), 0.0); };
    RadialCase radial = century_with_pause_and_stop();
    radial.salinity = 0.1;
    radial.residual_gas_saturation = 0.25;
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_NEAR(sum(fields.pressure_buildup) / 5671.058106, 1.0, 1e-5);
    EXPECT_NEAR(sum(fields.gas_saturation) / 374.6195855, 1.0, 1e-5);
    EXPECT_NEAR(sum(fields.dissolved_co2) / 24044.01492, 1.0, 1e-5);
}

/// How far the build-ups of two rows without gas are from those of brine at rest, by its weight of equation (23) [bar].
double departure_from_rest(const RadialCase& radial, const TwoPhaseFields& fields) {
    const two_phase::FluidTable fluids(radial.temperature, radial.salinity, radial.initial_pressure);
    const two_phase::Reservoir reservoir(radial);
    const std::size_t last = (radial.times.size() - 1) * radial.cells();
    double worst = 0.0;
    for (std::size_t row = 0; row + 1 < radial.rows(); ++row) {
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            const std::size_t upper = last + row * radial.columns() + column, lower = upper + radial.columns();
            if (fields.gas_saturation[upper] > 0.0F || fields.gas_saturation[lower] > 0.0F) {
                continue;
            }
            const auto weight = [&](std::size_t cell) {
                const auto dissolved = static_cast<double>(fields.dissolved_co2[cell]);
                return fluids.brine_density *
                           (1.0 + fluids.brine_compressibility * static_cast<double>(fields.pressure_buildup[cell])) +
                       dissolved * (1.0 - fluids.brine_density / fluids.dissolved_density);
            };
            const double over = 0.5 * (weight(upper) + weight(lower)) - reservoir.initial_density;
            const auto found = static_cast<double>(fields.pressure_buildup[lower] - fields.pressure_buildup[upper]);
            worst = std::max(worst, std::abs(found - over * reservoir.head[row]));
        }
    }
    return worst;
}

TEST(WeightOfBrine, IsThatOfItsPressureAndCo2LongAfterAnInjection) {
    RadialCase radial = sand_for_a_century();
    radial.schedule = {{days_per_year}, {0.05}};
    for (double& time : radial.times) {
        time *= 100.0;  // to 13,000 years
    }
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(departure_from_rest(radial, fields), 5e-4);
    EXPECT_LT(fields.mass_error, 1e-12);
    EXPECT_LT(fields.brine_error, 1e-12);
}

}  // namespace
}  // namespace plumecast
