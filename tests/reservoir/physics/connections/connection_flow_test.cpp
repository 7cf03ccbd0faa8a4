#include "reservoir/physics/connections/connection_flow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/connections/even_edges.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::connections {
namespace {

using ::testing::HasSubstr;

/// A box of `rows` x `lines` x `columns` cells of drawn rock, with a well in the middle of its lower half.
BoxCase drawn_box(std::size_t rows, std::size_t lines, std::size_t columns, double spread = 0.5) {
    BoxCase box;
    box.z_edges = even_edges(rows, 10.0);
    box.y_edges = even_edges(lines, 150.0);
    box.x_edges = even_edges(columns, 150.0);
    box.times = {100.0, 365.25, 1000.0, 3652.5};
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const double drawn = normal(random);
        box.permeability_x.push_back(100.0 * std::exp(spread * drawn));
        box.porosity.push_back(std::clamp(0.2 + 0.02 * drawn, 0.05, 0.35));
        box.permeability_z.push_back(0.2 * box.permeability_x.back());
    }
    box.permeability_y = box.permeability_x;
    box.perforation.assign(box.cells(), 0.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    box.active.assign(box.cells(), 1);
    box.initial_pressure = 150.0;
    box.temperature = 55.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.aquifer = 1000.0;
    return box;
}

std::size_t cell_of(const BoxCase& box, std::size_t row, std::size_t line, std::size_t column) {
    return (row * box.lines() + line) * box.columns() + column;
}

/// Opens the lower half of a column to a well of a rate [Mt/year].
void open_well(BoxCase& box, std::size_t line, std::size_t column, double rate) {
    const std::size_t first = box.rows() / 2;
    for (std::size_t row = first; row < box.rows(); ++row) {
        box.perforation[cell_of(box, row, line, column)] = 1.0;
        box.cell_injection_rate[cell_of(box, row, line, column)] = rate / static_cast<double>(box.rows() - first);
    }
}

PhysicsFields fields_of(const BoxCase& box, int substeps = 2) { return box_physics(box, {substeps}, "case 0"); }

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
    }
    return most;
}

TEST(ConnectionFlow, ConservesBothMassesAtEachStep) {
    BoxCase box = drawn_box(6, 8, 8);
    open_well(box, 3, 4, 0.2);
    open_well(box, 6, 1, 0.1);
    const BoxModel model = box_model(box);
    double brine = 0.0, dissolved = 0.0, worst_brine = 0.0;
    const FlowRun run_of = run(
        model.flow, box.times, {.substeps = 2}, "case 0", [&](const FlowSimulation& now, std::size_t snapshot, double) {
            const double found = std::accumulate(now.masses().brine.begin(), now.masses().brine.end(), 0.0);
            brine = snapshot == 0 ? found : brine;
            worst_brine = std::max(worst_brine, std::abs(found / brine - 1.0));
            dissolved = 0.0;
            for (std::size_t cell = 0; cell < model.flow.cells(); ++cell) {
                dissolved += now.dissolved(cell) * model.flow.pore_volume[cell];
            }
        });
    EXPECT_LT(run_of.mass_error, 1e-12);
    EXPECT_LT(worst_brine, 1e-12);
    EXPECT_GT(dissolved, 1e6);
    EXPECT_EQ(run_of.retaken, 0);
}

TEST(ConnectionFlow, HalvesFewStepsInWhichManyPoreVolumesGoThroughACell) {
    BoxCase box = drawn_box(24, 12, 12, 0.8);
    box.z_edges = even_edges(24, 4.0);
    box.y_edges = box.x_edges = even_edges(12, 48.0);
    open_well(box, 5, 6, 0.5);
    box.times.clear();
    for (double time = 91.0, next = 91.0; time < 8000.0; time += next) {
        box.times.push_back(time);
        next *= 1.1;
    }
    const BoxModel model = box_model(box);
    const FlowRun run_of =
        run(model.flow, box.times, {.substeps = 2}, "case 0", [](const FlowSimulation&, std::size_t, double) {});
    EXPECT_LE(run_of.retaken, 15);  // 13 found, of some sixty
    EXPECT_LT(run_of.mass_error, 1e-12);
    const double volume = 0.5e9 / 12.0 / 600.0;  // of CO2 through each of twelve perforations in a year [m3]
    EXPECT_GT(volume, 20.0 * *std::ranges::min_element(model.flow.pore_volume));
}

/// The saturation functions that a box has without tables, of rock of 100 mD and porosity 0.2.
std::vector<SaturationRow> usual_table(const BoxCase& box) {
    return saturation_table(box.irreducible_water_saturation, box.van_genuchten_lambda);
}

TEST(ConnectionFlow, TakesTablesOfRegionsLikeFunctions) {
    BoxCase box = drawn_box(4, 3, 6, 0.0);  // of 100 mD and porosity 0.2, whose Leverett factor is 1
    open_well(box, 1, 2, 0.05);
    BoxCase stated = box;
    stated.saturation_tables = {usual_table(box), usual_table(box)};
    stated.irreducible_water_saturation = stated.van_genuchten_lambda = 0.0;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        box.porosity[cell] = stated.porosity[cell] = 0.2;
        stated.saturation_region.push_back(1 + cell % 2);
    }
    const PhysicsFields fields = fields_of(box), other = fields_of(stated);
    EXPECT_LT(largest_difference(fields.fields.at("physics_gas_saturation"), other.fields.at("physics_gas_saturation")),
              1e-6);
}

TEST(ConnectionFlow, KeepsGasBelowRockOfHighEntryPressure) {
    BoxCase box = drawn_box(6, 3, 8, 0.0);
    open_well(box, 1, 3, 0.05);
    std::vector<SaturationRow> seal = usual_table(box);
    for (SaturationRow& row : seal) {
        row.capillary_pressure += 20.0;
    }
    box.saturation_tables = {usual_table(box), seal};
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        box.saturation_region.push_back(cell / box.plane() == 1 ? 2 : 1);  // the second row
    }
    const auto gas_in_upper_rows = [](const BoxCase& of) {
        const std::vector<float> gas = fields_of(of).fields.at("physics_gas_saturation");
        const auto last = gas.end() - static_cast<std::ptrdiff_t>(of.cells());
        return *std::max_element(last, last + static_cast<std::ptrdiff_t>(2 * of.plane()));
    };
    EXPECT_EQ(gas_in_upper_rows(box), 0.0F);
    std::ranges::fill(box.saturation_region, std::size_t{1});
    EXPECT_GT(gas_in_upper_rows(box), 0.05F);
}

TEST(ConnectionFlow, RefusesARegionWithoutTable) {
    BoxCase box = drawn_box(4, 2, 2);
    open_well(box, 1, 1, 0.05);
    box.saturation_tables = {usual_table(box)};
    box.saturation_region.assign(box.cells(), 1);
    box.saturation_region[5] = 2;
    try {
        fields_of(box);
        FAIL() << "a region without table";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("saturation_region of the cell in row 1, line 0, column 1 is 2"));
    }
}

TEST(ConnectionFlow, TakesStatedPoreVolumes) {
    BoxCase box = drawn_box(4, 3, 3);
    open_well(box, 1, 1, 0.05);
    BoxCase stated = box;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t line = cell % box.plane() / box.columns(), column = cell % box.columns();
        const double factor = line == 1 && column == 1 ? 1.0 : box.aquifer;
        stated.pore_volume.push_back(box.porosity[cell] * 150.0 * 150.0 * 10.0 * factor);
    }
    stated.aquifer = 1.0;
    EXPECT_LT(largest_difference(fields_of(box).fields.at("physics_pressure_buildup"),
                                 fields_of(stated).fields.at("physics_pressure_buildup")),
              1e-5);
}

TEST(ConnectionFlow, StaysAtRestWhereItGrowsWarmerWithDepth) {
    BoxCase box = drawn_box(12, 3, 3);
    open_well(box, 1, 1, 0.0);
    box.rock_fluid.temperature_gradient = 0.05;
    const PhysicsFields fields = fields_of(box);
    for (const float value : fields.fields.at("physics_pressure_buildup")) {
        ASSERT_LT(std::abs(value), 1e-4F);
    }
}

TEST(ConnectionFlow, DissolvesMoreWhereItIsColder) {
    BoxCase box = drawn_box(6, 4, 4, 0.0);
    open_well(box, 1, 1, 0.1);
    const auto densest = [](const BoxCase& of, std::size_t row) {
        const std::vector<float> dissolved = fields_of(of).fields.at("physics_dissolved_co2");
        const std::vector<float> gas = fields_of(of).fields.at("physics_gas_saturation");
        float most = 0.0F;
        for (std::size_t cell = 0; cell < of.plane(); ++cell) {
            const std::size_t at = dissolved.size() - of.cells() + row * of.plane() + cell;
            most = std::max(most, gas[at] > 0.0F ? dissolved[at] / (1.0F - gas[at]) : 0.0F);
        }
        return most;
    };
    BoxCase graded = box;
    graded.rock_fluid.temperature_gradient = 0.2;  // 50 to 60 degC between the middles of the rows at top and base
    BoxCase cold = box;
    cold.temperature = graded.temperature_at(5.0);
    EXPECT_NEAR(densest(graded, 0), densest(cold, 0), 2e-3F * densest(cold, 0));
    EXPECT_GT(densest(graded, 0), 1.02F * densest(box, 0));
}

TEST(ConnectionFlow, StaysAtRestWithoutInjection) {
    BoxCase box = drawn_box(6, 4, 4);
    open_well(box, 1, 1, 0.0);
    const PhysicsFields fields = fields_of(box);
    for (const float value : fields.fields.at("physics_pressure_buildup")) {
        ASSERT_LT(std::abs(value), 1e-6F);
    }
    EXPECT_EQ(largest_difference(fields.fields.at("physics_gas_saturation"),
                                 std::vector<float>(box.times.size() * box.cells())),
              0.0);
    EXPECT_TRUE(std::ranges::all_of(fields.bottom_hole_pressure, [](float value) { return std::isnan(value); }));
}

/// The same box seen from another side: cell (row, line, column) is (row, column, line) of the other.
TEST(ConnectionFlow, GivesTheSameWithAxesExchanged) {
    BoxCase box = drawn_box(4, 5, 7);
    for (double& value : box.permeability_y) {
        value *= 0.5;
    }
    open_well(box, 2, 4, 0.1);
    BoxCase turned = box;
    std::swap(turned.x_edges, turned.y_edges);
    const auto turn = [&](const auto& from, auto& to) {
        for (std::size_t row = 0; row < box.rows(); ++row) {
            for (std::size_t line = 0; line < box.lines(); ++line) {
                for (std::size_t column = 0; column < box.columns(); ++column) {
                    to[cell_of(turned, row, column, line)] = from[cell_of(box, row, line, column)];
                }
            }
        }
    };
    turn(box.permeability_x, turned.permeability_y);
    turn(box.permeability_y, turned.permeability_x);
    turn(box.permeability_z, turned.permeability_z);
    turn(box.porosity, turned.porosity);
    turn(box.perforation, turned.perforation);
    turn(box.cell_injection_rate, turned.cell_injection_rate);
    const PhysicsFields fields = fields_of(box), others = fields_of(turned);
    for (const auto& [name, bound] : {std::pair("physics_gas_saturation", 1e-3), {"physics_pressure_buildup", 2e-2}}) {
        const std::vector<float>& values = fields.fields.at(name);
        std::vector<float> last(box.cells());
        const std::vector<float> of_last(values.end() - static_cast<std::ptrdiff_t>(box.cells()), values.end());
        turn(of_last, last);
        const std::vector<float>& other = others.fields.at(name);
        EXPECT_LT(largest_difference(last, {other.end() - static_cast<std::ptrdiff_t>(box.cells()), other.end()}),
                  bound)
            << name;
    }
}

TEST(ConnectionFlow, IsSymmetricAroundAWellInTheMiddle) {
    BoxCase box = drawn_box(4, 7, 7, 0.0);
    box.porosity.assign(box.cells(), 0.2);
    open_well(box, 3, 3, 0.1);
    const PhysicsFields fields = fields_of(box);
    const std::vector<float>& saturation = fields.fields.at("physics_gas_saturation");
    const std::size_t last = (box.times.size() - 1) * box.cells();
    double most = 0.0;
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t line = 0; line < 7; ++line) {
            for (std::size_t column = 0; column < 7; ++column) {
                const auto here = saturation[last + cell_of(box, row, line, column)];
                EXPECT_NEAR(here, saturation[last + cell_of(box, row, line, 6 - column)], 1e-3);
                EXPECT_NEAR(here, saturation[last + cell_of(box, row, column, line)], 1e-3);
                most = std::max(most, static_cast<double>(here));
            }
        }
    }
    EXPECT_GT(most, 0.3);
}

TEST(ConnectionFlow, LeavesInactiveCellsOut) {
    BoxCase box = drawn_box(4, 5, 9);
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t line = 0; line < 5; ++line) {
            box.active[cell_of(box, row, line, 5)] = 0;  // a wall
        }
    }
    box.active[cell_of(box, 1, 2, 2)] = 0;  // in the middle of a column
    open_well(box, 2, 2, 0.05);
    box.aquifer = 50.0;
    const PhysicsFields fields = fields_of(box);
    const std::vector<float>& buildup = fields.fields.at("physics_pressure_buildup");
    for (std::size_t i = 0; i < buildup.size(); ++i) {
        const std::size_t column = i % box.columns();
        if (column >= 5 || box.active[i % box.cells()] == 0) {
            ASSERT_LT(std::abs(buildup[i]), 1e-6F) << i;
        } else {
            ASSERT_GT(buildup[i], 1e-3F) << i;
        }
    }
}

TEST(ConnectionFlow, TakesPermeabilitiesThatDifferByAMillion) {
    BoxCase box = drawn_box(6, 8, 8);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> exponent(-3.0, 3.0);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        box.permeability_x[cell] = box.permeability_y[cell] = std::pow(10.0, exponent(random));
        box.permeability_z[cell] = 0.1 * box.permeability_x[cell];
    }
    open_well(box, 4, 4, 0.01);
    const BoxModel model = box_model(box);
    const FlowRun run_of =
        run(model.flow, box.times, {.substeps = 2}, "case 0", [](const FlowSimulation&, std::size_t, double) {});
    EXPECT_LT(run_of.mass_error, 1e-12);
}

TEST(ConnectionFlow, FollowsWellsThatStopOneAfterTheOther) {
    BoxCase box = drawn_box(4, 8, 8);
    open_well(box, 2, 2, 0.1);
    open_well(box, 5, 6, 0.1);
    box.times = {365.25, 730.5, 1000.0, 20000.0};
    box.schedule_ends = {365.25, 1000.0};
    box.schedule_rates = {{0.2, 0.0}, {0.0, 0.1}};
    const BoxModel model = box_model(box);
    std::vector<std::vector<double>> pressures(4);
    std::vector<double> injected(4);
    const FlowRun run_of = run(model.flow, box.times, {.substeps = 2}, "case 0",
                               [&](const FlowSimulation& now, std::size_t snapshot, double share) {
                                   pressures[snapshot] = now.bottom_hole_pressure();
                                   injected[snapshot] += share * now.co2_injected() / 1e9;
                               });
    EXPECT_LT(run_of.mass_error, 1e-12);
    const double in_all = 0.2 + 0.1 * (1000.0 - 365.25) / 365.25;
    EXPECT_NEAR(injected[0], 0.2, 1e-12);
    EXPECT_NEAR(injected[1], 0.3, 1e-12);
    EXPECT_NEAR(injected[2], in_all, 1e-12);
    EXPECT_NEAR(injected[3], in_all, 1e-12);
    EXPECT_GT(pressures[0][0], 155.0);
    EXPECT_TRUE(std::isnan(pressures[0][1]));
    EXPECT_TRUE(std::isnan(pressures[1][0]));
    EXPECT_GT(pressures[1][1], 153.0);
    EXPECT_GT(pressures[2][1], 153.0);
    EXPECT_TRUE(std::isnan(pressures[3][1]));
}

TEST(ConnectionFlow, ConvergesWhereAWellStopsBesideATime) {
    BoxCase box = drawn_box(4, 8, 8);
    open_well(box, 2, 2, 0.1);
    box.times = {100.0, 700.0, 1681.92, 5000.0};
    box.schedule_rates = {{0.2}};
    for (const double beside : {-3.0, -1.0, -0.1, -0.01, -1e-6, -4.5e-13, 4.5e-13, 1e-6, 0.01, 0.1, 1.0}) {
        for (const int substeps : {1, 2}) {
            box.schedule_ends = {1681.92 + beside};
            const BoxModel model = box_model(box);
            const FlowRun done = run(model.flow, box.times, {.substeps = substeps}, "case 0",
                                     [](const FlowSimulation&, std::size_t, double) {});
            EXPECT_LT(done.mass_error, 1e-12) << beside;
            EXPECT_LT(done.retaken, 10) << beside << ", " << substeps;
        }
    }
}

/// A connection between two cells of one reservoir that no grid has beside each other.
TEST(ConnectionFlow, FlowsThroughConnectionsThatNoGridHas) {
    BoxCase box = drawn_box(3, 1, 8);
    for (std::size_t row = 0; row < 3; ++row) {
        box.active[cell_of(box, row, 0, 4)] = 0;
    }
    open_well(box, 0, 1, 0.02);
    BoxModel model = box_model(box);
    const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<std::size_t>(std::ranges::find(model.places, cell_of(box, row, 0, column)) -
                                        model.places.begin());
    };
    model.flow.connections.push_back({at(2, 3), at(0, 5), 2.0});
    double beyond = 0.0;
    const FlowRun run_of =
        run(model.flow, {20000.0}, {.substeps = 8}, "case 0", [&](const FlowSimulation& now, std::size_t, double) {
            beyond = now.pressure()[at(0, 6)] - model.flow.initial_pressure[at(0, 6)];
        });
    EXPECT_GT(beyond, 0.1);
    EXPECT_LT(run_of.mass_error, 1e-12);
}

TEST(ConnectionFlow, RefusesListsThatCannotBe) {
    BoxCase box = drawn_box(3, 3, 3);
    open_well(box, 1, 1, 0.02);
    const auto refusal = [&](const auto& spoil) {
        FlowModel model = box_model(box).flow;
        spoil(model);
        try {
            model.check("case 3");
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal([](FlowModel&) {}), "");
    EXPECT_THAT(refusal([](FlowModel& model) { model.pore_volume[2] = 0.0; }), HasSubstr("case 3: a pore volume"));
    EXPECT_THAT(refusal([](FlowModel& model) { model.connections[1].to = 99; }), HasSubstr("connection 1 joins"));
    EXPECT_THAT(refusal([](FlowModel& model) { model.wells[0].perforations.clear(); }), HasSubstr("no active cell"));
    EXPECT_THAT(refusal([](FlowModel& model) { model.wells[0].rates.clear(); }), HasSubstr("0 rates"));
    EXPECT_THAT(refusal([](FlowModel& model) { model.column_starts.pop_back(); }), HasSubstr("columns"));
}

/// The equations of one time step, all at once: balances of both component masses in each cell and of each well, by
/// Newton's method with differences and a dense matrix.
class CoupledStep {
   public:
    CoupledStep(const FlowModel& model, double days, double mass_rate)
        : model_(model), properties_(model), days_(days), mass_rate_(mass_rate) {
        for (std::size_t cell = 0; cell < model.cells(); ++cell) {
            CellState state;
            properties_.set_pressure(state, cell, model.initial_pressure[cell]);
            old_brine_.push_back(state.brine_density * state.pore_volume);
        }
    }

    /// Unknowns: pressures, then CO2 per pore volume, then the bottom-hole pressure; those of a simulation.
    std::vector<double> unknowns(const FlowSimulation& simulation) const {
        std::vector<double> x = simulation.pressure();
        for (std::size_t cell = 0; cell < model_.cells(); ++cell) {
            CellState state;
            properties_.set_pressure(state, cell, x[cell]);
            x.push_back(simulation.masses().co2[cell] / state.pore_volume);
        }
        x.push_back(simulation.bottom_hole_pressure()[0]);
        return x;
    }
    /// Newton's method from there, with steps halved where the residual does not fall.
    std::vector<double> solve(std::vector<double> x) const {
        for (int iteration = 0; iteration < 100; ++iteration) {
            const std::vector<double> change = newton_change(x);
            const double before = norm(residual(x));
            std::vector<double> next(x.size());
            double part = 2.0;
            do {
                part *= 0.5;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    next[i] = x[i] - part * change[i];
                }
            } while (part > 1e-3 && norm(residual(next)) > before);
            x = next;
            if (norm(change) < 1e-8) {
                return x;
            }
        }
        ADD_FAILURE() << "the coupled step does not converge";
        return x;
    }
    std::vector<CellState> states(const std::vector<double>& x) const {
        std::vector<CellState> result(model_.cells());
        for (std::size_t cell = 0; cell < model_.cells(); ++cell) {
            properties_.set_pressure(result[cell], cell, x[cell]);
            properties_.set_mass(result[cell], cell, x[model_.cells() + cell]);
            result[cell].weight = properties_.brine_weight(result[cell]);
        }
        return result;
    }

   private:
    static double norm(const std::vector<double>& values) {
        double most = 0.0;
        for (const double value : values) {
            most = std::max(most, std::abs(value));
        }
        return most;
    }
    std::vector<double> residual(const std::vector<double>& x) const {
        const std::size_t cells = model_.cells();
        const std::vector<CellState> state = states(x);
        std::vector<double> result(x.size());
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double pores = state[cell].pore_volume;
            const double brine = (1.0 - state[cell].saturation) * pores * properties_.brine_content(state[cell]);
            result[cell] = brine - old_brine_[cell];
            result[cells + cell] = x[cells + cell] * pores;
        }
        for (const auto& [from, to, transmissibility] : model_.connections) {
            const double below = two_phase::gravity * (model_.depth[from] - model_.depth[to]);
            const CellState &one = state[from], &other = state[to];
            const double drop = x[from] - x[to];
            const double of_brine = drop - 0.5 * (one.weight + other.weight) * below;
            const double of_gas =
                drop + one.capillary - other.capillary - 0.5 * (one.gas_density + other.gas_density) * below;
            const CellState &brine = of_brine >= 0.0 ? one : other, &gas = of_gas >= 0.0 ? one : other;
            const double brine_volume = days_ * transmissibility * brine.brine * of_brine;
            const double gas_volume = days_ * transmissibility * gas.gas * of_gas;
            const double brine_mass = brine_volume * properties_.brine_content(brine);
            const double co2 = brine_volume * brine.dissolved + gas_volume * gas.gas_density;
            result[from] += brine_mass;
            result[to] -= brine_mass;
            result[cells + from] += co2;
            result[cells + to] -= co2;
        }
        add_well(x, state, result);
        return result;
    }
    void add_well(const std::vector<double>& x, const std::vector<CellState>& state,
                  std::vector<double>& result) const {
        const auto& open = model_.wells[0].perforations;
        double density = 0.0;
        for (const Perforation& one : open) {
            density += state[one.cell].gas_density / static_cast<double>(open.size());
        }
        std::vector<double> masses;
        for (const Perforation& one : open) {
            const double head = density * two_phase::gravity * (model_.depth[one.cell] - model_.depth[open[0].cell]);
            masses.push_back(state[one.cell].gas_density * one.factor * (state[one.cell].gas + state[one.cell].brine) *
                             (x.back() + head - x[one.cell]));
        }
        const double sum = std::accumulate(masses.begin(), masses.end(), 0.0);
        result.back() = (sum - mass_rate_) / density;
        for (std::size_t i = 0; i < open.size(); ++i) {
            result[model_.cells() + open[i].cell] -= days_ * mass_rate_ * masses[i] / sum;
        }
    }
    std::vector<double> newton_change(const std::vector<double>& x) const {
        const std::size_t size = x.size();
        std::vector<double> right = residual(x), moved = x;
        std::vector<std::vector<double>> rows(size, std::vector<double>(size));
        for (std::size_t j = 0; j < size; ++j) {
            constexpr double step = 1e-6;
            moved[j] = x[j] + step;
            const std::vector<double> there = residual(moved);
            moved[j] = x[j];
            for (std::size_t i = 0; i < size; ++i) {
                rows[i][j] = (there[i] - right[i]) / step;
            }
        }
        for (std::size_t k = 0; k < size; ++k) {
            std::size_t pivot = k;
            for (std::size_t i = k + 1; i < size; ++i) {
                pivot = std::abs(rows[i][k]) > std::abs(rows[pivot][k]) ? i : pivot;
            }
            std::swap(rows[k], rows[pivot]);
            std::swap(right[k], right[pivot]);
            for (std::size_t i = k + 1; i < size; ++i) {
                const double factor = rows[i][k] / rows[k][k];
                for (std::size_t j = k; factor != 0.0 && j < size; ++j) {
                    rows[i][j] -= factor * rows[k][j];
                }
                right[i] -= factor * right[k];
            }
        }
        for (std::size_t k = size; k-- > 0;) {
            for (std::size_t j = k + 1; j < size; ++j) {
                right[k] -= rows[k][j] * right[j];
            }
            right[k] /= rows[k][k];
        }
        return right;
    }

    const FlowModel& model_;
    CellProperties properties_;
    double days_, mass_rate_;
    std::vector<double> old_brine_;
};

TEST(ConnectionFlow, MeetsTheCoupledEquationsWithManyRounds) {
    BoxCase box = drawn_box(3, 4, 5);
    open_well(box, 1, 2, 0.05);
    const FlowModel model = box_model(box).flow;
    const double days = 40.0, mass_rate = 0.05e9 / 365.25;
    const CoupledStep coupled(model, days, mass_rate);
    FlowIterations iterations;
    iterations.rounds = 60;
    iterations.transport_tolerance = 1e-9;
    iterations.first_tolerance = iterations.later_tolerance = 1e-12;
    FlowSimulation simulation(model, iterations);
    ASSERT_TRUE(simulation.advance(days, {mass_rate}));
    FlowSimulation usual(model);
    ASSERT_TRUE(usual.advance(days, {mass_rate}));
    const std::vector<double> expected = coupled.solve(coupled.unknowns(usual));
    const std::vector<CellState> states = coupled.states(expected);
    for (std::size_t cell = 0; cell < model.cells(); ++cell) {
        EXPECT_NEAR(simulation.pressure()[cell], expected[cell], 1e-5) << cell;
        EXPECT_NEAR(simulation.saturation(cell), states[cell].saturation, 1e-6) << cell;
        EXPECT_NEAR(simulation.dissolved(cell), states[cell].dissolved * (1.0 - states[cell].saturation), 1e-4) << cell;
        EXPECT_NEAR(usual.saturation(cell), states[cell].saturation, 0.03) << cell;  // two rounds are near
    }
    EXPECT_NEAR(simulation.bottom_hole_pressure()[0], expected.back(), 1e-5);
}

}  // namespace
}  // namespace plumecast::connections
