#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

/// Sand with a ramp, a pause and a stop after ten years, and a limit [kg/(m3 year)].
RadialCase slowly_dissolving(double limit) {
    RadialCase radial = layered_radial_case(8, 24, 5, {40.0, 200.0, 3.0});
    for (std::size_t i = 0; i <= radial.columns(); ++i) {
        radial.r_edges[i] = 5.0 * std::pow(2e4, static_cast<double>(i) / static_cast<double>(radial.columns()));
    }
    radial.times.clear();
    for (const double year : {0.1, 1.0, 3.5, 5.0, 10.0, 11.0, 20.0, 60.0, 110.0}) {
        radial.times.push_back(year * days_per_year);
    }
    for (const double year : {1.0, 3.0, 4.0, 10.0}) {
        radial.schedule.ends.push_back(year * days_per_year);
    }
    radial.schedule.rates = {0.1, 0.4, 0.0, 0.3};
    radial.dissolution_rate_limit = limit;
    return radial;
}

TwoPhaseFields fields_with(double limit, int substeps = 2) {
    return two_phase_fields(slowly_dissolving(limit), substeps, "the case");
}

/// Dissolved CO2 at a snapshot [kg].
double dissolved_mass(const TwoPhaseFields& fields, std::size_t snapshot) {
    const RadialCase radial = slowly_dissolving(1.0);
    double sum = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
        const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
        sum += static_cast<double>(fields.dissolved_co2[snapshot * radial.cells() + cell]) * radial.porosity[cell] *
               (outer * outer - inner * inner) * (radial.z_edges[row + 1] - radial.z_edges[row]);
    }
    return sum;
}

TEST(DissolutionLimit, GivesTheBitsOfEquilibriumWhereItIsNeverReached) {
    const TwoPhaseFields equilibrium = fields_with(std::numeric_limits<double>::infinity());
    const TwoPhaseFields fast = fields_with(1e9);
    EXPECT_EQ(equilibrium.gas_saturation, fast.gas_saturation);
    EXPECT_EQ(equilibrium.pressure_buildup, fast.pressure_buildup);
    EXPECT_EQ(equilibrium.dissolved_co2, fast.dissolved_co2);
    EXPECT_EQ(equilibrium.steps, fast.steps);
}

TEST(DissolutionLimit, KeepsTheMassOfCo2) {
    for (const double limit : {0.0, 0.1, 2.0, 30.0}) {
        for (const int substeps : {1, 2, 3}) {
            SCOPED_TRACE(limit);
            const TwoPhaseFields fields = fields_with(limit, substeps);
            EXPECT_LT(fields.mass_error, 1e-12);
            EXPECT_LT(fields.brine_error, 1e-12);
            EXPECT_TRUE(std::ranges::all_of(fields.pressure_buildup, [](float value) { return std::isfinite(value); }));
            EXPECT_TRUE(std::ranges::all_of(fields.dissolved_co2, [](float value) { return value >= 0.0F; }));
        }
    }
}

/// Brine that was without CO2 at the start holds no more than the limit times the time, equation (7).
TEST(DissolutionLimit, HoldsTheConcentrationOfEachCell) {
    const RadialCase radial = slowly_dissolving(0.5);
    const TwoPhaseFields fields = two_phase_fields(radial, 2, "the case");
    for (std::size_t t = 0; t < radial.times.size(); ++t) {
        const double most = 0.5 * radial.times[t] / days_per_year;
        double largest = 0.0;
        for (std::size_t cell = t * radial.cells(); cell < (t + 1) * radial.cells(); ++cell) {
            const double brine = 1.0 - static_cast<double>(fields.gas_saturation[cell]);
            const double concentration = static_cast<double>(fields.dissolved_co2[cell]) / brine;
            // Between two steps the mean of the dissolved CO2 counts the step with more brine for more.
            ASSERT_LE(concentration, most * (1.0 + 2e-3)) << t << " " << cell;
            largest = std::max(largest, concentration);
        }
        if (t + 3 < radial.times.size()) {
            EXPECT_GT(largest, 0.99 * most) << t;  // beside the well, where gas is from the start on
        }
    }
}

TEST(DissolutionLimit, DissolvesLessTheLowerItIs) {
    const double none = dissolved_mass(fields_with(0.0), 5), slow = dissolved_mass(fields_with(0.2), 5),
                 faster = dissolved_mass(fields_with(2.0), 5), fast = dissolved_mass(fields_with(20.0), 5),
                 equilibrium = dissolved_mass(fields_with(std::numeric_limits<double>::infinity()), 5);
    EXPECT_EQ(none, 0.0);
    EXPECT_GT(slow, 0.0);
    EXPECT_GT(faster, 2.0 * slow);
    EXPECT_GT(fast, 1.2 * faster);
    EXPECT_GT(equilibrium, fast);
}

TEST(DissolutionLimit, ConvergesWithTheSteps) {
    const double finest = dissolved_mass(fields_with(2.0, 16), 5);
    const double coarse = std::abs(dissolved_mass(fields_with(2.0, 2), 5) / finest - 1.0);
    const double fine = std::abs(dissolved_mass(fields_with(2.0, 8), 5) / finest - 1.0);
    EXPECT_LT(fine, 0.5 * coarse);
    EXPECT_LT(coarse, 0.15);
}

TEST(DissolutionLimit, IsRefusedByNameWhereItIsNoRate) {
    const auto refusal = [](const auto& compute) {
        try {
            compute();
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const double limit : {-1.0, std::nan("")}) {
        EXPECT_THAT(refusal([&] { slowly_dissolving(limit).check("the case"); }),
                    HasSubstr("the case: dissolution_rate_limit"));
    }
}

}  // namespace
}  // namespace plumecast
