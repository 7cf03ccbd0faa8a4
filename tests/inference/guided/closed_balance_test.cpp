#include "inference/guided/closed_balance.hpp"
#include "reservoir/metrics/case_series.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast::testing {
namespace {

constexpr double kilograms_per_megatonne = 1e9;
const std::vector<double> one_time = {36.525};  // a tenth of a year

/// Four cells of 1e6 m3 of pores at 150 bar and 60 degC; the last is inactive. The first holds free CO2.
CaseFields small_case(double rate) {
    CaseFields fields;
    fields.active = {1.0F, 1.0F, 1.0F, 0.0F};
    fields.porosity.assign(4, 0.2F);
    fields.pore_volumes = {1e6, 1e6, 1e6, 0.0};
    fields.initial_pressures.assign(4, 150.0);
    fields.temperature = 60.0;
    fields.injection_rate = rate;
    fields.gas_saturation = {0.5F, 0.0F, 0.0F, 0.0F};
    fields.pressure_buildup.assign(4, 0.0F);
    fields.dissolved_co2 = {24.0F, 30.0F, 10.0F, 50.0F};  // of a physics with a saturation of 0.4 in the first cell
    return fields;
}

const std::vector<float> known = {0.4F, 0.0F, 0.0F, 0.0F};
constexpr double share_of_brine = 0.5 / 0.6;

double dissolved_mass(const CaseFields& fields) {
    double mass = 0.0;
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        mass += fields.pore_volumes[cell] * static_cast<double>(fields.dissolved_co2[cell]);
    }
    return mass;
}

/// The rate [Mt/year] at which free CO2 and `dissolved` [kg] are what was injected.
double rate_for(double dissolved) {
    return (0.5e6 * co2_density(150.0, 60.0) + dissolved) / kilograms_per_megatonne / 0.1;
}

TEST(ClosedBalance, ScalesTheBrineOutsideThePlume) {
    const double inside = 24e6 * share_of_brine, wanted = inside + 1.3 * 40e6;
    CaseFields fields = small_case(rate_for(wanted));
    const DissolvedSeries shares = close_balance(fields, known, one_time);
    const double injected = fields.injected(36.525) * kilograms_per_megatonne;
    ASSERT_EQ(shares.physics.size(), 1U);
    ASSERT_EQ(shares.predicted.size(), 1U);
    EXPECT_NEAR(shares.physics[0] * injected, 24e6 + 30e6 + 10e6, 1.0);
    EXPECT_NEAR(shares.predicted[0] * injected, dissolved_mass(fields), 1.0);
    EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[0]), 24.0 * share_of_brine, 1e-4);
    EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[1]), 39.0, 0.02);  // to the table of densities
    EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[2]), 13.0, 0.01);
    const double free = free_co2_mass(fields, one_time).front();
    EXPECT_NEAR(free + dissolved_mass(fields) / kilograms_per_megatonne, fields.injected(36.525), 1e-7 * free);
}

TEST(ClosedBalance, GoesOnInThePlumeWhereTheRestDoesNotSuffice) {
    const double wanted = 0.8 * 24e6 * share_of_brine;  // less than the plume holds
    CaseFields fields = small_case(rate_for(wanted));
    close_balance(fields, known, one_time);
    EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[0]), 0.8 * 24.0 * share_of_brine, 0.05);
    EXPECT_EQ(fields.dissolved_co2[1], 0.0F);
    EXPECT_EQ(fields.dissolved_co2[2], 0.0F);
    const double free = free_co2_mass(fields, one_time).front();
    EXPECT_NEAR(free + dissolved_mass(fields) / kilograms_per_megatonne, fields.injected(36.525), 1e-7 * free);
}

TEST(ClosedBalance, LeavesWhatNoBrineCouldHold) {
    CaseFields fields = small_case(2.0 * rate_for(0.0));  // twice what is there
    close_balance(fields, known, one_time);
    EXPECT_NEAR(static_cast<double>(fields.dissolved_co2[0]), 2.0 * 24.0 * share_of_brine, 1e-4);
    EXPECT_FLOAT_EQ(fields.dissolved_co2[1], 60.0F);
    EXPECT_FLOAT_EQ(fields.dissolved_co2[2], 20.0F);
}

}  // namespace
}  // namespace plumecast::testing
