#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/physics/scalars/dual.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using two_phase::GasSaturation;
using two_phase::SaturationCurves;
using two_phase::scanning_place;

/// Layers, ten years of injection and a century after them.
RadialCase sand_after_injection(double residual) {
    RadialCase radial = layered_radial_case(8, 24, 5, {40.0, 200.0, 3.0});
    for (std::size_t i = 0; i <= radial.columns(); ++i) {
        radial.r_edges[i] = 5.0 * std::pow(2e4, static_cast<double>(i) / static_cast<double>(radial.columns()));
    }
    radial.times.clear();
    for (const double year : {0.1, 1.0, 5.0, 10.0, 11.0, 20.0, 60.0, 110.0}) {
        radial.times.push_back(year * days_per_year);
    }
    radial.schedule = {{10.0 * days_per_year}, {0.3}};
    radial.residual_gas_saturation = residual;
    return radial;
}

double sum_at(const std::vector<float>& field, std::size_t time, const RadialCase& radial) {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
        const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
        sum += static_cast<double>(field[time * radial.cells() + cell]) * radial.porosity[cell] *
               (outer * outer - inner * inner) * (radial.z_edges[row + 1] - radial.z_edges[row]);
    }
    return sum;
}

TEST(LandTrapping, LeavesTheResidualOfAFullCellAndLessOfOthers) {
    const LandTrapping land(0.05, 0.3, 0.8);
    ASSERT_TRUE(land.is_active());
    EXPECT_DOUBLE_EQ(land.constant(), 1.0 / 0.25 - 1.0 / 0.75);
    EXPECT_NEAR(land.trapped(0.8), 0.3, 1e-15);
    EXPECT_NEAR(land.trapped(0.4), 0.05 + 0.35 / (1.0 + land.constant() * 0.35), 1e-15);
    EXPECT_DOUBLE_EQ(land.trapped(0.05), 0.05);
    EXPECT_DOUBLE_EQ(land.trapped(0.02), 0.02);
    const double step = 1e-6;
    const Dual<1> of_dual = land.trapped(Dual<1>(0.4, {1.0}), Dual<1>(land.constant()));
    EXPECT_EQ(of_dual.value, land.trapped(0.4));
    EXPECT_NEAR(of_dual.by[0], (land.trapped(0.4 + step) - land.trapped(0.4 - step)) / (2.0 * step), 1e-9);
    EXPECT_FALSE(LandTrapping(0.05, 0.05, 0.8).is_active());
    EXPECT_FALSE(LandTrapping(0.05, 0.0, 0.8).is_active());
}

TEST(ImbibitionTable, BeginsAtTheResidualAndEndsWithDrainage) {
    const auto drainage = saturation_table(0.2, 0.5), imbibition = imbibition_table(0.2, 0.5, 0.3);
    EXPECT_EQ(imbibition[0].gas_saturation, 0.0);
    EXPECT_EQ(imbibition[1].gas_saturation, 0.3);
    EXPECT_EQ(imbibition[1].gas_permeability, 0.0);
    EXPECT_EQ(imbibition.back().gas_saturation, drainage.back().gas_saturation);
    EXPECT_EQ(imbibition.back().gas_permeability, drainage.back().gas_permeability);
    EXPECT_EQ(imbibition.back().water_permeability, 0.0);
    for (std::size_t i = 2; i < imbibition.size(); ++i) {
        const SaturationRow& row = imbibition[i];
        EXPECT_GT(row.gas_permeability, imbibition[i - 1].gas_permeability);
        EXPECT_LT(row.water_permeability, imbibition[i - 1].water_permeability);
        const double effective = std::max(0.0, (0.8 - row.gas_saturation) / 0.75);
        EXPECT_LE(row.gas_permeability, std::pow(1.0 - effective, 2) * (1.0 - effective * effective) + 1e-12);
    }
}

TEST(ScanningCurve, LeavesDrainageAtThePeakAndEndsAtTheTrappedSaturation) {
    RadialCase radial = sand_after_injection(0.3);
    const SaturationCurves curves(radial);
    ASSERT_TRUE(curves.has_hysteresis());
    for (const double peak : {0.1007, 0.3304, 0.6003, 0.7508}) {
        const double trapped = curves.land().trapped(peak);
        EXPECT_NEAR(curves.at(GasSaturation{peak - 1e-9, peak}).gas, curves.at(peak).gas, 1e-7);
        EXPECT_EQ(curves.at(GasSaturation{peak, peak}).gas, curves.at(peak).gas);
        EXPECT_EQ(curves.at(GasSaturation{peak + 0.01, peak}).gas, curves.at(peak + 0.01).gas);
        EXPECT_EQ(curves.at(GasSaturation{trapped, peak}).gas, 0.0);
        EXPECT_EQ(curves.at(GasSaturation{0.5 * trapped, peak}).gas, 0.0);
        for (const double part : {0.1234, 0.4567, 0.9012}) {
            const double now = trapped + part * (peak - trapped), step = 1e-8;
            const two_phase::FlowState flow = curves.at(GasSaturation{now, peak});
            EXPECT_LE(flow.gas, curves.at(now).gas);
            EXPECT_EQ(flow.brine, curves.at(now).brine);
            EXPECT_EQ(flow.capillary, curves.at(now).capillary);
            const auto gas = [&](double by, double more) {
                return curves.at(GasSaturation{now + by, peak + more}).gas;
            };
            EXPECT_NEAR(flow.gas_slope, (gas(step, 0.0) - gas(-step, 0.0)) / (2.0 * step), 1e-5);
            const Dual<1> highest(peak, {1.0}), constant(curves.land().constant());
            const Dual<1> along = scanning_place(Dual<1>(now), highest, curves.land().trapped(highest, constant));
            const auto shape = SaturationCurves::place(along).interpolated(
                [&](std::size_t row) { return Dual<1>(curves.shape()[row]); });
            const auto drained = SaturationCurves::place(highest).interpolated(
                [&](std::size_t row) { return Dual<1>(curves.rows()[row].gas); });
            EXPECT_NEAR((drained * shape).by[0], (gas(0.0, step) - gas(0.0, -step)) / (2.0 * step), 1e-5);
        }
    }
    radial.residual_gas_saturation = 0.05;
    EXPECT_FALSE(SaturationCurves(radial).has_hysteresis());
}

TEST(Hysteresis, GivesTheBitsOfDrainageWhereItTrapsNoMore) {
    const TwoPhaseFields without = two_phase_fields(sand_after_injection(0.0), 2, "the case");
    const TwoPhaseFields same = two_phase_fields(sand_after_injection(0.05), 2, "the case");
    EXPECT_EQ(without.gas_saturation, same.gas_saturation);
    EXPECT_EQ(without.pressure_buildup, same.pressure_buildup);
    EXPECT_EQ(without.dissolved_co2, same.dissolved_co2);
    EXPECT_TRUE(without.trapped_gas_saturation.empty());
}

TEST(Hysteresis, ConservesCo2AndKeepsMoreGasWhereItWas) {
    const RadialCase radial = sand_after_injection(0.3);
    const TwoPhaseFields without = two_phase_fields(sand_after_injection(0.0), 2, "the case");
    for (const int substeps : {1, 2, 3}) {
        const TwoPhaseFields fields = two_phase_fields(radial, substeps, "the case");
        EXPECT_LT(fields.mass_error, 1e-12);
        EXPECT_LT(fields.brine_error, 1e-12);
        for (std::size_t i = 0; i < fields.gas_saturation.size(); ++i) {
            ASSERT_TRUE(std::isfinite(fields.gas_saturation[i]));
            ASSERT_LE(fields.trapped_gas_saturation[i], fields.gas_saturation[i]);
            ASSERT_LE(fields.trapped_gas_saturation[i], 0.31F);
        }
        const std::size_t last = radial.times.size() - 1;
        const double share =
            sum_at(fields.trapped_gas_saturation, last, radial) / sum_at(fields.gas_saturation, last, radial);
        EXPECT_GT(share, 0.5);
        const auto reached = [&](const TwoPhaseFields& of) {
            std::size_t found = 0;
            for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
                const bool has_gas = of.gas_saturation[last * radial.cells() + cell] > 0.01F;
                found = has_gas ? std::max(found, cell % radial.columns()) : found;
            }
            return found;
        };
        EXPECT_LE(reached(fields), reached(without));
    }
}

TEST(Hysteresis, IsAFieldOfThePhysicsWhereACaseHasIt) {
    const PhysicsSettings settings{1};
    EXPECT_TRUE(reduced_physics(sand_after_injection(0.2), settings, "the case").fields.contains(trapped_gas_field));
    EXPECT_FALSE(reduced_physics(sand_after_injection(0.0), settings, "the case").fields.contains(trapped_gas_field));
}

TEST(Hysteresis, IsRefusedBeyondItsRange) {
    for (const double residual : {-0.1, 0.6, std::nan("")}) {
        try {
            sand_after_injection(residual).check("the case");
            FAIL() << residual;
        } catch (const InvalidInput& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("residual_gas_saturation"));
        }
    }
    RadialCase wet = sand_after_injection(0.45);
    wet.irreducible_water_saturation = 0.6;
    EXPECT_THROW(wet.check("the case"), InvalidInput);
}

}  // namespace
}  // namespace plumecast
