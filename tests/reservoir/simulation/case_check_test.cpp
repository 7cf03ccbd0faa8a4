#include "reservoir/simulation/case_check.hpp"
#include "reservoir/generation/finished_case.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "reservoir/generation/case_run.hpp"
#include "reservoir/simulation/sample_reservoir.hpp"

namespace plumecast::testing {
namespace {

class CheckCase : public ::testing::Test {
   protected:
    std::optional<Rejection> reason() const {
        const auto problem = check_case(CheckSettings{}, reservoir_, results_);
        return problem ? std::optional(problem->reason) : std::nullopt;
    }
    Snapshot& last() { return results_.snapshots.back(); }

    Reservoir reservoir_ = sample_reservoir();
    FlowResults results_ = balanced_results(reservoir_, {1.0, 10.0});
};

TEST_F(CheckCase, AcceptsWhatBalances) { EXPECT_EQ(reason(), std::nullopt); }

TEST_F(CheckCase, RejectsValuesThatAreNotFinite) {
    last().pressure[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(reason(), Rejection::not_finite);
}

TEST_F(CheckCase, RejectsSaturationsOutOfRange) {
    last().gas_saturation[3] = -0.01;
    EXPECT_EQ(reason(), Rejection::saturation_range);
}

TEST_F(CheckCase, RejectsCo2ThatGotLost) {
    last().gas_saturation[0] *= 0.99;
    EXPECT_EQ(reason(), Rejection::mass_balance);
}

TEST_F(CheckCase, CountsDissolvedCo2) {
    last().gas_saturation[0] = 0.5 * last().injected / (1e9 * 300.0);
    last().dissolved_ratio[0] = 0.5 * last().injected / 1e9 / (1.0 - last().gas_saturation[0]);
    EXPECT_EQ(reason(), std::nullopt);
}

TEST_F(CheckCase, CountsTheCompressionOfRock) {
    const double before = co2_in_place(results_, last(), reservoir_.inputs.initial_pressure);
    last().pressure[0] += 100.0;
    EXPECT_NEAR(co2_in_place(results_, last(), reservoir_.inputs.initial_pressure) / before, 1.0045101, 1e-6);
}

TEST_F(CheckCase, RejectsInjectionThatFellBehind) {
    last().injected *= 0.98;
    EXPECT_EQ(reason(), Rejection::injection);
    last().injected = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(reason(), Rejection::injection);
}

TEST_F(CheckCase, TakesLessThanAskedForOfAWellWithALimitOfItsPressure) {
    reservoir_.inputs.injection_rate *= 2.0;
    EXPECT_EQ(reason(), Rejection::injection);
    reservoir_.inputs.bottom_hole_pressure_limit = 200.0;
    EXPECT_EQ(reason(), std::nullopt);
    reservoir_.inputs.injection_rate *= 0.25;  // more than that never
    EXPECT_EQ(reason(), Rejection::injection);
}

TEST_F(CheckCase, RejectsSupersaturatedBrine) {
    last().dissolved_ratio[0] = 1e-9;
    last().dissolved_ratio[1] = 1.05e-9;
    EXPECT_EQ(reason(), std::nullopt);
    last().dissolved_ratio[1] = 1.2e-9;
    EXPECT_EQ(reason(), Rejection::supersaturation);
}

TEST_F(CheckCase, RejectsPressuresThatDriftBeforeTheInjection) {
    const double rate = reservoir_.inputs.injection_rate;
    reservoir_.inputs.schedule_ends = {1.0, 10.0};
    reservoir_.inputs.schedule_rates = {0.0, 10.0 / 9.0 * rate};  // until day 10 as much as at the constant rate
    results_.snapshots.front().time = 1.0 + 1e-9;                 // a sum of steps
    EXPECT_EQ(reason(), Rejection::injection) << "what was injected on day 1";
    Snapshot& first = results_.snapshots.front();
    first.injected = 0.0;
    first.gas_saturation.assign(first.gas_saturation.size(), 0.0);
    first.dissolved_ratio.assign(first.dissolved_ratio.size(), 0.0);
    first.pressure = results_.initial_pressure;
    EXPECT_EQ(reason(), std::nullopt);
    first.pressure[9] += 0.9e-3;
    EXPECT_EQ(reason(), std::nullopt);
    first.pressure[9] -= 2e-3;
    EXPECT_EQ(reason(), Rejection::not_at_rest);
    first.pressure = results_.initial_pressure;
    first.injected = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(reason(), Rejection::injection);
}

TEST_F(CheckCase, LeavesRowsBelowTheFormationAtZeroInTheDataSet) {
    last().pressure[9] += 12.345678;
    const FinishedCase finished = finished_case(reservoir_, results_, 12);
    const auto& buildup = finished.arrays.at("pressure_buildup");
    ASSERT_EQ(buildup.size(), 2u * 4u * 8u);
    EXPECT_NEAR(buildup[32 + 9], 12.345678, 12.3 * 1.3e-4);
    EXPECT_NE(buildup[32 + 9], 12.345678F);  // rounded to 12 bits
    EXPECT_EQ(finished_case(reservoir_, results_, 23).arrays.at("pressure_buildup")[32 + 9],
              static_cast<float>(last().pressure[9] - results_.initial_pressure[9]));
    EXPECT_EQ(finished.arrays.at("active")[23], 1.0F);
    EXPECT_EQ(finished.arrays.at("active")[24], 0.0F);
    EXPECT_EQ(finished.arrays.at("porosity")[24], 0.0F);
    EXPECT_EQ(finished.arrays.at("thickness")[0], 60.0F);
}

TEST_F(CheckCase, ComparesWithTheScheduleThatWasAskedFor) {
    Reservoir reservoir = sample_reservoir();
    const std::vector<double> days = {10.0, 100.0};
    FlowResults results = balanced_results(reservoir, days);
    EXPECT_FALSE(check_case({}, reservoir, results));
    reservoir.inputs.schedule_ends = {50.0};
    reservoir.inputs.schedule_rates = {reservoir.inputs.injection_rate};
    ASSERT_TRUE(check_case({}, reservoir, results));
    EXPECT_EQ(check_case({}, reservoir, results)->reason, Rejection::injection);
    reservoir.inputs.schedule_ends = {20.0, 80.0, 100.0};
    reservoir.inputs.schedule_rates = {1.0, 1.5, 0.0};
    for (double& rate : reservoir.inputs.schedule_rates) {
        rate *= reservoir.inputs.injection_rate;
    }
    reservoir.inputs.schedule_rates[1] = reservoir.inputs.injection_rate * 80.0 / 60.0;
    EXPECT_FALSE(check_case({}, reservoir, results));
}

}  // namespace
}  // namespace plumecast::testing
