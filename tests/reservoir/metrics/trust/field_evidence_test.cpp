#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <plumecast/reservoir/physics/co2_density.hpp>

#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/trust/field_evidence.hpp"
#include "reservoir/physics/co2_solubility.hpp"

namespace plumecast {
namespace {

constexpr std::size_t rows = 3;
constexpr std::size_t rings = 5;
const std::vector<double> times{365.25, 3652.5};
const std::vector<double> r_edges{0.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0};

/// Gas of saturation 0.5 out to 300 m at both times, and as much injected as is there at the second.
CaseFields plume(double found_share = 1.0) {
    CaseFields fields;
    const std::vector<double> z_edges{0.0, 10.0, 20.0, 30.0};
    fields.geometry = radial_geometry(r_edges, z_edges);
    fields.temperature = 60.0;
    fields.top_depth = 1500.0;
    fields.active.assign(rows * rings, 1.0F);
    fields.porosity.assign(rows * rings, 0.2F);
    fields.initial_pressures.assign(rows * rings, 150.0);
    for (const double volume : fields.geometry.volumes) {
        fields.pore_volumes.push_back(0.2 * volume);
    }
    for (std::size_t i = 0; i < 2 * rows * rings; ++i) {
        fields.gas_saturation.push_back(i % rings < 2 ? 0.5F : 0.0F);
        fields.pressure_buildup.push_back(0.0F);
        fields.dissolved_co2.push_back(0.0F);
    }
    const double there = std::numbers::pi * 300.0 * 300.0 * 30.0 * 0.2 * 0.5 * co2_density(150.0, 60.0) / 1e9;  // [Mt]
    fields.injection_rate = there / found_share / 10.0;
    return fields;
}

TEST(FieldEvidence, FindsAllOfTheCo2ThatWasInjected) {
    const FieldEvidence evidence = field_evidence(plume(), {3652.5, 3652.5001}, true);
    ASSERT_EQ(evidence.balance.size(), 2U);
    EXPECT_NEAR(evidence.balance[1], 1.0, 1e-4);
    EXPECT_NEAR(*evidence.off_balance, 0.0, 1e-4);
}

TEST(FieldEvidence, ComparesThePressureWithWhatAnyRockBears) {
    CaseFields fields = plume();
    // 150 bar and more at 1505 to 1525 m, of which 0.3 bar per metre are 451.5 to 457.5 bar.
    EXPECT_NEAR(*field_evidence(fields, times, true).rock_load, 150.0 / 451.5, 1e-9);
    fields.pressure_buildup[0] = 400.0F;
    EXPECT_NEAR(*field_evidence(fields, times, true).rock_load, 550.0 / 451.5, 1e-9);
}

TEST(FieldEvidence, FindsDissolvedCo2BesideGasThatBrineCannotHold) {
    CaseFields fields = plume();
    const double limit = co2_solubility(150.0, 60.0, 0.0) * 990.0;  // [kg/m3], about
    const std::size_t half = fields.dissolved_co2.size() / 2;
    for (std::size_t i = 0; i < fields.dissolved_co2.size(); ++i) {
        fields.dissolved_co2[i] = fields.gas_saturation[i] > 0.0F ? 0.5F * static_cast<float>(limit) : 0.0F;
    }
    const FieldEvidence right = field_evidence(fields, {3652.5, 3652.5001}, true);
    EXPECT_LT(*right.absorbed, 0.005);
    for (std::size_t i = half; i < fields.dissolved_co2.size(); ++i) {
        fields.dissolved_co2[i] *= 2.0F;
    }
    const FieldEvidence twice = field_evidence(fields, {3652.5, 3652.5001}, true);
    // As much brine as gas: what dissolves again per what is free, by volume.
    EXPECT_NEAR(*twice.absorbed, limit / co2_density(150.0, 60.0), 0.005);
    EXPECT_NEAR(twice.dissolved_ratio, 2.0, 0.1);
}

TEST(FieldEvidence, MeasuresTheWorstTime) {
    // At the first time there is as much as at the second, but a tenth was injected.
    EXPECT_NEAR(*field_evidence(plume(), times, true).off_balance, 9.0, 1e-3);
    EXPECT_NEAR(*field_evidence(plume(0.4), {3652.5, 3652.5001}, true).off_balance, 0.6, 1e-4);
}

TEST(FieldEvidence, AllowsForWhatTheBrineOfThePlumeDissolves) {
    CaseFields fields = plume(0.9);
    EXPECT_NEAR(*field_evidence(fields, {3652.5, 3652.5001}, true).off_balance, 0.1, 1e-4);
    fields.dissolved_co2.clear();
    EXPECT_EQ(*field_evidence(fields, {3652.5, 3652.5001}, true).off_balance, 0.0);
    fields = plume(0.3);
    fields.dissolved_co2.clear();
    EXPECT_GT(*field_evidence(fields, {3652.5, 3652.5001}, true).off_balance, 0.3);
}

TEST(FieldEvidence, ComparesThePlumeWithWhatTheVolumeReaches) {
    CaseFields fields = plume();
    // The inner edge of the outermost ring, 100 m, against the row of 10 m filled to 0.1.
    const double volume = std::numbers::pi * 300.0 * 300.0 * 30.0 * 0.2 * 0.5;
    const double possible = std::sqrt(volume / (std::numbers::pi * 0.2 * 10.0 * 0.1));
    EXPECT_NEAR(*field_evidence(fields, {3652.5, 3652.5001}, true).reach, 100.0 / possible, 1e-4);
    fields.gas_saturation.back() = 0.02F;  // a trace in the last ring, beyond 3 km
    EXPECT_NEAR(*field_evidence(fields, {3652.5, 3652.5001}, true).reach, 3000.0 / possible, 1e-3);
    EXPECT_GT(*field_evidence(fields, {3652.5, 3652.5001}, true).reach, 1.0);
    EXPECT_FALSE(field_evidence(fields, times, false).reach.has_value());
}

TEST(FieldEvidence, SaysWhereValuesAreNotFinite) {
    CaseFields fields = plume();
    fields.pressure_buildup[7] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(field_evidence(fields, times, true).is_finite);
    fields.active[7] = 0.0F;
    EXPECT_TRUE(field_evidence(fields, times, true).is_finite);
}

TEST(FieldEvidence, TakesPressuresWithoutAKnownDensityForImpossible) {
    CaseFields fields = plume();
    fields.pressure_buildup[3] = 17000.0F;
    const FieldEvidence evidence = field_evidence(fields, times, true);
    EXPECT_FALSE(evidence.is_finite);
    EXPECT_EQ(evidence.largest_buildup, 17000.0);
    EXPECT_NEAR(*evidence.rock_load, 17150.0 / 451.5, 1e-6);
    fields.pressure_buildup.clear();
    EXPECT_TRUE(field_evidence(fields, times, true).is_finite);
    fields.initial_pressures[3] = 1200.0;
    EXPECT_FALSE(field_evidence(fields, times, true).is_finite);
}

TEST(FieldEvidence, KnowsNoBalanceWithoutSaturation) {
    CaseFields fields = plume();
    fields.gas_saturation.clear();
    fields.dissolved_co2.clear();
    fields.pressure_buildup[3] = 12.5F;
    const FieldEvidence evidence = field_evidence(fields, times, true);
    EXPECT_TRUE(evidence.balance.empty());
    EXPECT_FALSE(evidence.off_balance.has_value());
    EXPECT_EQ(evidence.largest_buildup, 12.5);
}

}  // namespace
}  // namespace plumecast
