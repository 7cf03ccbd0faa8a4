#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/connections/connection_flow.hpp"
#include "reservoir/physics/connections/even_edges.hpp"

namespace plumecast::connections {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t sand_rows = 6, sand_lines = 7, sand_columns = 7;

/// Sand in which a well injects low for ten years, and a century after them.
BoxCase box_after_injection(std::optional<double> residual) {
    BoxCase box;
    box.z_edges = even_edges(sand_rows, 10.0);
    box.y_edges = even_edges(sand_lines, 200.0);
    box.x_edges = even_edges(sand_columns, 200.0);
    const std::size_t cells = sand_rows * sand_lines * sand_columns;
    box.permeability_x.assign(cells, 100.0);  // with the porosity of a Leverett factor of 1
    box.permeability_y = box.permeability_x;
    box.permeability_z.assign(cells, 20.0);
    box.porosity.assign(cells, 0.2);
    box.active.assign(cells, 1);
    box.perforation.assign(cells, 0.0);
    box.cell_injection_rate.assign(cells, 0.0);
    const std::size_t well = (sand_rows - 1) * sand_lines * sand_columns + 3 * sand_columns + 3;
    box.perforation[well] = 1.0;
    box.cell_injection_rate[well] = 0.1;
    for (const double year : {1.0, 5.0, 10.0, 12.0, 30.0, 110.0}) {
        box.times.push_back(year * days_per_year);
    }
    box.schedule_ends = {10.0 * days_per_year};
    box.schedule_rates = {{0.1}};
    box.initial_pressure = 150.0;
    box.temperature = 55.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.aquifer = 1000.0;
    box.residual_gas_saturation = residual;
    return box;
}

PhysicsFields physics_of(const BoxCase& box) { return box_physics(box, {2}, "case 0"); }

const std::vector<float>& gas_in(const PhysicsFields& physics) { return physics.fields.at("physics_gas_saturation"); }
const std::vector<float>& trapped_in(const PhysicsFields& physics) {
    return physics.fields.at(std::string(trapped_gas_field));
}

/// Of cells of one volume and porosity.
double total_at_the_end(const std::vector<float>& field) {
    return std::accumulate(field.end() - sand_rows * sand_lines * sand_columns, field.end(), 0.0);
}

/// Of the highest row.
double total_below_the_seal(const std::vector<float>& field) {
    const auto row = field.end() - sand_rows * sand_lines * sand_columns;
    return std::accumulate(row, row + sand_lines * sand_columns, 0.0);
}

TEST(BoxHysteresis, GivesTheBitsOfDrainageWhereItTrapsNoMore) {
    const PhysicsFields without = physics_of(box_after_injection(std::nullopt)),
                        same = physics_of(box_after_injection(0.05));
    EXPECT_EQ(gas_in(without), gas_in(same));
    EXPECT_EQ(without.fields.at("physics_pressure_buildup"), same.fields.at("physics_pressure_buildup"));
    EXPECT_FALSE(without.fields.contains(std::string(trapped_gas_field)));
    for (std::size_t i = 0; i < gas_in(same).size(); ++i) {  // what drainage leaves, at both ends of the step
        EXPECT_LE(trapped_in(same)[i], std::min(gas_in(same)[i], 0.05F) + 1e-7F);
        EXPECT_TRUE(gas_in(same)[i] == 0.0F || trapped_in(same)[i] > 0.0F);
    }
}

TEST(BoxHysteresis, ConservesCo2AndKeepsMoreGasWhereItWas) {
    const BoxCase box = box_after_injection(0.3);
    const BoxModel model = box_model(box);
    const FlowRun done =
        run(model.flow, box.times, {.substeps = 2}, "case 0", [](const FlowSimulation&, std::size_t, double) {});
    EXPECT_LT(done.mass_error, 1e-12);

    const PhysicsFields fields = physics_of(box), without = physics_of(box_after_injection(0.0));
    for (std::size_t i = 0; i < gas_in(fields).size(); ++i) {
        ASSERT_LE(trapped_in(fields)[i], gas_in(fields)[i]);
        ASSERT_LE(trapped_in(fields)[i], 0.3F);
    }
    const double trapped = total_at_the_end(trapped_in(fields)) / total_at_the_end(gas_in(fields));
    EXPECT_GT(trapped, 0.5);
    EXPECT_GT(trapped, 2.0 * total_at_the_end(trapped_in(without)) / total_at_the_end(gas_in(without)));
    const auto share_below_the_seal = [](const std::vector<float>& gas) {
        return total_below_the_seal(gas) / total_at_the_end(gas);
    };
    EXPECT_LT(share_below_the_seal(gas_in(fields)), 0.9 * share_below_the_seal(gas_in(without)));
    const std::size_t below_the_top =
        (sand_rows - 2) * sand_lines * sand_columns + 3 * sand_columns + 3;  // above the well
    const std::size_t last = gas_in(fields).size() - sand_rows * sand_lines * sand_columns + below_the_top;
    EXPECT_GT(gas_in(fields)[last], 2.0F * gas_in(without)[last]);
}

TEST(BoxHysteresis, IsThatOfTablesToo) {
    const BoxCase box = box_after_injection(0.3);
    BoxCase stated = box;
    stated.saturation_tables = {saturation_table(0.2, 0.5)};
    stated.saturation_region.assign(sand_rows * sand_lines * sand_columns, 1);
    stated.irreducible_water_saturation = stated.van_genuchten_lambda = 0.0;
    const PhysicsFields fields = physics_of(box), other = physics_of(stated);
    for (std::size_t i = 0; i < gas_in(fields).size(); ++i) {
        ASSERT_NEAR(gas_in(fields)[i], gas_in(other)[i], 2e-3) << i;
        ASSERT_NEAR(trapped_in(fields)[i], trapped_in(other)[i], 2e-3) << i;
    }
}

/// What a step that failed had reached is forgotten.
TEST(BoxHysteresis, RemembersWhatStepsEndedWithAlone) {
    const BoxModel model = box_model(box_after_injection(0.3));
    FlowSimulation simulation(model.flow);
    const double kilograms_per_day = 0.1 * kilograms_per_megatonne / days_per_year;
    ASSERT_TRUE(simulation.advance(100.0, {kilograms_per_day}));
    const auto trapped = [&] {
        std::vector<double> values;
        for (std::size_t cell = 0; cell < model.flow.cells(); ++cell) {
            values.push_back(simulation.trapped(cell));
        }
        return values;
    };
    const std::vector<double> before = trapped();
    ASSERT_GT(*std::ranges::max_element(before), 0.05);
    ASSERT_FALSE(simulation.advance(1e4, {1e4 * kilograms_per_day}));
    EXPECT_EQ(trapped(), before);
}

TEST(BoxHysteresis, IsRefusedWhereItLeavesNoRoom) {
    for (const double residual : {-0.1, 0.51, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(physics_of(box_after_injection(residual)), InvalidInput) << residual;
    }
    BoxCase stated = box_after_injection(0.3);
    stated.saturation_tables = {saturation_table(0.2, 0.5), saturation_table(0.75, 0.5)};
    stated.saturation_region.assign(sand_rows * sand_lines * sand_columns, 1);
    try {
        physics_of(stated);
        FAIL() << "the second table has no room for what is trapped";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("residual_gas_saturation of hysteresis"));
        EXPECT_THAT(error.what(), HasSubstr("saturation table 2 allows"));
    }
}

}  // namespace
}  // namespace plumecast::connections
