
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// Rows of different heights and permeabilities between 1000 mD and that over `contrast`, drawn per row or per cell.
RadialCase drawn_case(std::uint64_t seed, double contrast, bool by_rows) {
    const RandomStream random(seed, "two-phase cases");
    RadialCase radial = uniform_radial_case(10, 24);
    std::uint64_t next = 0;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        radial.z_edges[row + 1] = radial.z_edges[row] + 1.0 + 6.0 * random.uniform(next++);
        double permeability = 1e3 * std::pow(contrast, -random.uniform(next++));
        for (std::size_t cell = row * radial.columns(); cell < (row + 1) * radial.columns(); ++cell) {
            permeability = by_rows ? permeability : 1e3 * std::pow(contrast, -random.uniform(next++));
            radial.permeability_r[cell] = permeability;
            radial.permeability_z[cell] = 0.1 * permeability;
            radial.porosity[cell] = 0.1 + 0.2 * random.uniform(next++);
        }
    }
    return radial;
}

void expect_balance(const RadialCase& radial) {
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_LT(fields.mass_error, 1e-12);
    EXPECT_LT(fields.brine_error, 1e-12);
    for (const auto* field : {&fields.pressure_buildup, &fields.gas_saturation, &fields.dissolved_co2}) {
        ASSERT_EQ(field->size(), radial.times.size() * radial.cells());
        EXPECT_TRUE(std::ranges::all_of(*field, [](float value) { return std::isfinite(value); }));
    }
    EXPECT_GT(*std::ranges::max_element(fields.gas_saturation), 0.2F);
}

TEST(TwoPhase, ConservesCo2InLayeredRock) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        expect_balance(drawn_case(seed, 1e3, true));
    }
}

TEST(TwoPhase, ConservesCo2WherePermeabilityDiffersAMillionTimes) {
    for (const std::uint64_t seed : {4, 5}) {
        RadialCase radial = drawn_case(seed, 1e6, true);
        radial.injection_rate = 0.1;
        expect_balance(radial);
    }
    RadialCase radial = drawn_case(6, 1e2, false);
    radial.permeability_r[3 * radial.columns() + 5] = 1e-3;
    radial.permeability_r[3 * radial.columns() + 6] = 1e3;
    radial.injection_rate = 0.05;
    expect_balance(radial);
}

TEST(TwoPhase, ConservesCo2InOneRow) {
    RadialCase radial = uniform_radial_case(1, 40);
    radial.z_edges = {0.0, 20.0};
    expect_balance(radial);
}

TEST(TwoPhase, ConservesCo2InjectedThroughOneRow) {
    RadialCase radial = drawn_case(7, 1e2, true);
    std::ranges::fill(radial.perforation, 0.0);
    radial.perforation[8 * radial.columns()] = 0.5;
    radial.injection_rate = 0.1;
    expect_balance(radial);
}

TEST(TwoPhase, ConservesCo2AroundInactiveCellsAndLeavesThem) {
    RadialCase radial = drawn_case(8, 1e2, true);
    for (const std::size_t row : {3, 4, 9}) {
        for (std::size_t column = 4; column < 12; ++column) {
            radial.active[row * radial.columns() + column] = 0;
        }
    }
    expect_balance(radial);
    const TwoPhaseFields fields = two_phase_fields(radial, 1, "the case");
    for (std::size_t i = 0; i < fields.gas_saturation.size(); ++i) {
        if (radial.active[i % radial.cells()] == 0) {
            EXPECT_EQ(fields.gas_saturation[i], 0.0F);
            EXPECT_EQ(fields.pressure_buildup[i], 0.0F);
            EXPECT_EQ(fields.dissolved_co2[i], 0.0F);
        }
    }
}

TEST(TwoPhase, StaysAtRestWithoutInjection) {
    RadialCase radial = drawn_case(9, 1e3, true);
    radial.injection_rate = 0.0;
    radial.rock_fluid.initial_brine_temperature = radial.temperature;
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    EXPECT_EQ(fields.mass_error, 0.0);
    for (std::size_t i = 0; i < fields.gas_saturation.size(); ++i) {
        ASSERT_NEAR(fields.pressure_buildup[i], 0.0F, 1e-9F) << i;
        ASSERT_EQ(fields.gas_saturation[i], 0.0F);
        ASSERT_EQ(fields.dissolved_co2[i], 0.0F);
    }
}

TEST(TwoPhase, LetsBrineOfAnotherTemperatureSettleWithoutInjection) {
    RadialCase radial = uniform_radial_case(10, 8);
    radial.injection_rate = 0.0;
    radial.rock_fluid.initial_brine_temperature = 15.56;
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    // Pressures of cold brine stand too steep: they fall at the bottom and rise at the top, and keep their mean.
    const std::size_t last = (radial.times.size() - 1) * radial.cells();
    double sum = 0.0;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        sum += fields.pressure_buildup[last + row * radial.columns()];
    }
    const float top = fields.pressure_buildup[last];
    EXPECT_NEAR(sum, 0.0, 1e-3 * top);
    EXPECT_GT(top, 0.01F);
    EXPECT_EQ(*std::ranges::max_element(fields.gas_saturation), 0.0F);
}

/// Mean distance of the saturations of two results, over those above 0 in either.
double distance(const TwoPhaseFields& a, const TwoPhaseFields& b) {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < a.gas_saturation.size(); ++i) {
        sum += std::abs(a.gas_saturation[i] - b.gas_saturation[i]);
        count += a.gas_saturation[i] > 0.0F || b.gas_saturation[i] > 0.0F ? 1.0 : 0.0;
    }
    return sum / count;
}

TEST(TwoPhase, ConvergesWithTheTimeStepAtFirstOrder) {
    RadialCase radial = uniform_radial_case(8, 32);
    radial.times = {30.0, 100.0, 300.0, 1000.0};
    const TwoPhaseFields finest = two_phase_fields(radial, 64, "the case");
    double before = distance(two_phase_fields(radial, 2, "the case"), finest);
    for (const int substeps : {4, 8}) {
        const double error = distance(two_phase_fields(radial, substeps, "the case"), finest);
        EXPECT_GT(before / error, 1.6) << substeps;
        EXPECT_LT(before / error, 3.0) << substeps;
        before = error;
    }
}

TEST(TwoPhase, TakesTheStepsAskedFor) {
    RadialCase radial = uniform_radial_case(4, 24);
    radial.times = {0.9, 2.124, 3.788, 6.05};  // 2.5 days more grow by 1.36
    EXPECT_EQ(two_phase_fields(radial, 3, "the case").steps, 12);
    radial.times = {6.05};
    EXPECT_EQ(two_phase_fields(radial, 3, "the case").steps, 12);
}

void expect_same(const TwoPhaseFields& a, const TwoPhaseFields& b) {
    EXPECT_EQ(a.pressure_buildup, b.pressure_buildup);
    EXPECT_EQ(a.gas_saturation, b.gas_saturation);
    EXPECT_EQ(a.dissolved_co2, b.dissolved_co2);
}

TEST(TwoPhase, GivesTheSameBitsAgainAndBesideOtherThreads) {
    const RadialCase first = drawn_case(10, 1e3, true), second = drawn_case(11, 1e2, false);
    const TwoPhaseFields first_alone = two_phase_fields(first, 2, "first");
    const TwoPhaseFields second_alone = two_phase_fields(second, 2, "second");
    expect_same(first_alone, two_phase_fields(first, 2, "first"));
    TwoPhaseFields first_beside, second_beside;
    std::thread other([&] { first_beside = two_phase_fields(first, 2, "first"); });
    second_beside = two_phase_fields(second, 2, "second");
    other.join();
    expect_same(first_alone, first_beside);
    expect_same(second_alone, second_beside);
}

TEST(TwoPhase, RefusesCasesThatItKnowsNoFluidsOf) {
    RadialCase radial = uniform_radial_case(2, 4);
    radial.temperature = 200.0;
    try {
        two_phase_fields(radial, 1, "cases.h5: case 7");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("cases.h5: case 7: temperature [degC] is 200"));
    }
    radial = uniform_radial_case(2, 4);
    radial.permeability_z[1] = 0.0;
    EXPECT_THROW(two_phase_fields(radial, 1, "the case"), InvalidInput);
}

TEST(TwoPhase, SaysWhenMoreIsInjectedThanRockCanHold) {
    RadialCase radial = uniform_radial_case(4, 6);
    radial.r_edges = {0.1, 1.0, 5.0, 10.0, 20.0, 40.0, 60.0};
    radial.injection_rate = 20.0;
    try {
        two_phase_fields(radial, 1, "cases.h5: case 7");
        FAIL();
    } catch (const NotConverged& error) {
        EXPECT_THAT(error.what(), HasSubstr("cases.h5: case 7: two-phase flow did not converge after day"));
        EXPECT_THAT(error.what(), HasSubstr("inject less, or simulate the case"));
    }
}

}  // namespace
}  // namespace plumecast
