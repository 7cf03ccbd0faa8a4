#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/connections/connection_flow.hpp"
#include "reservoir/physics/connections/even_edges.hpp"
#include "reservoir/physics/cylinder.hpp"

namespace plumecast::connections {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t rows = 5, lines = 3, columns = 10, fault = 5;  // the first column behind the fault
constexpr double width = 100.0, height = 10.0;

std::size_t cell_of(std::size_t row, std::size_t line, std::size_t column) {
    return (row * lines + line) * columns + column;
}

/// What flows between the centres of two cells over a distance through an area.
double between(double area, double one_length, double one, double other_length, double other) {
    return cylinder::darcy * area / (0.5 * one_length / one + 0.5 * other_length / other);
}

/// A box with volumes, depths and transmissibilities of its own whose columns from `fault` on lie lower by `throw_of`
/// (or higher, where it is negative): cells on both sides of the fault are connected over the heights that they share.
/// A well in the third row before the fault; layers of shale between those of sand.
BoxCase faulted_box(double throw_of, double shale = 1e-5) {
    BoxCase box;
    box.z_edges = even_edges(rows, height);
    box.y_edges = even_edges(lines, width);
    box.x_edges = even_edges(columns, width);
    box.times = {100.0, 365.25, 1000.0, 3652.5};
    const double highest = std::min(throw_of, 0.0);
    for (std::size_t cell = 0; cell < rows * lines * columns; ++cell) {
        const std::size_t row = cell / (lines * columns), column = cell % columns;
        box.permeability_x.push_back(row % 2 == 0 ? 200.0 : shale);
        box.cell_depth.push_back(height * (static_cast<double>(row) + 0.5) + (column >= fault ? throw_of : 0.0) -
                                 highest);
    }
    box.permeability_y = box.permeability_z = box.permeability_x;
    const std::size_t cells = rows * lines * columns;
    box.cell_volume.assign(cells, width * width * height);
    box.porosity.assign(cells, 0.2);
    box.active.assign(cells, 1);
    box.perforation.assign(cells, 0.0);
    box.cell_injection_rate.assign(cells, 0.0);
    box.perforation[cell_of(2, 1, 3)] = 1.0;
    box.cell_injection_rate[cell_of(2, 1, 3)] = 0.01;
    box.initial_pressure = 150.0;
    box.temperature = 55.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.pore_volume.assign(cells, 0.2 * width * width * height);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t line = 0; line < lines; ++line) {
            box.pore_volume[cell_of(row, line, 0)] *= 1e3;
            box.pore_volume[cell_of(row, line, columns - 1)] *= 1e3;
        }
    }
    return box;
}

/// States what connects the cells of faulted_box().
void connect_cells(BoxCase& box, double throw_of) {
    for (auto* map : {&box.transmissibility_x, &box.transmissibility_y, &box.transmissibility_z}) {
        map->assign(box.cells(), 0.0);
    }
    const auto& k = box.permeability_x;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t row = cell / box.plane(), line = cell % box.plane() / columns, column = cell % columns;
        if (column + 1 < columns && column + 1 != fault) {
            box.transmissibility_x[cell] = between(width * height, width, k[cell], width, k[cell + 1]);
        }
        if (line + 1 < lines) {
            box.transmissibility_y[cell] = between(width * height, width, k[cell], width, k[cell + columns]);
        }
        if (row + 1 < rows) {
            box.transmissibility_z[cell] = between(width * width, height, k[cell], height, k[cell + box.plane()]);
        }
        for (std::size_t other = 0; column + 1 == fault && other < rows; ++other) {
            const double top =
                std::max(height * static_cast<double>(row), height * static_cast<double>(other) + throw_of);
            const double base =
                std::min(height * static_cast<double>(row + 1), height * static_cast<double>(other + 1) + throw_of);
            const std::size_t beyond = cell_of(other, line, fault);
            if (base <= top) {
                continue;
            }
            const double flow = between(width * (base - top), width, k[cell], width, k[beyond]);
            if (other == row) {
                box.transmissibility_x[cell] = flow;
            } else {
                box.connections.push_back({cell, beyond, flow});
            }
        }
    }
}

/// Largest saturation behind the fault, by row, at the last time.
std::vector<float> gas_beyond(const BoxCase& box) {
    const std::vector<float> gas = box_physics(box, {2}, "case 0").fields.at("physics_gas_saturation");
    std::vector<float> most(rows, 0.0F);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        if (cell % columns >= fault) {
            most[cell / box.plane()] = std::max(most[cell / box.plane()], gas[gas.size() - box.cells() + cell]);
        }
    }
    return most;
}

BoxCase connected_box(double throw_of, double shale = 1e-5) {
    BoxCase box = faulted_box(throw_of, shale);
    connect_cells(box, throw_of);
    return box;
}

TEST(FaultedBox, WithoutThrowIsTheBox) {
    const BoxCase stated = connected_box(0.0, 20.0);
    EXPECT_TRUE(stated.connections.empty());
    BoxCase box = stated;
    box.cell_volume.clear();
    box.cell_depth.clear();
    box.transmissibility_x.clear();
    box.transmissibility_y.clear();
    box.transmissibility_z.clear();
    const PhysicsFields found = box_physics(stated, {2}, "case 0");
    const PhysicsFields expected = box_physics(box, {2}, "case 0");
    for (const auto& [name, values] : expected.fields) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_NEAR(found.fields.at(name)[i], values[i], 1e-4F) << name << " " << i;
        }
    }
    EXPECT_NEAR(found.bottom_hole_pressure[1], expected.bottom_hole_pressure[1], 1e-3F);
}

TEST(FaultedBox, HalfALayerOfThrowKeepsGasInItsLayer) {
    const std::vector<float> gas = gas_beyond(connected_box(5.0));
    EXPECT_GT(gas[2], 0.1F);
    EXPECT_LT(gas[0], 1e-6F);  // behind half a layer of shale
    EXPECT_LT(gas[4], 1e-6F);
}

TEST(FaultedBox, GasSpillsThroughTheLayersThatTheFaultBringsTogether) {
    const std::vector<float> down = gas_beyond(connected_box(20.0));  // by two layers
    EXPECT_GT(down[0], 0.1F);
    EXPECT_LT(down[2], 1e-6F);
    EXPECT_LT(down[4], 1e-6F);
    const std::vector<float> up = gas_beyond(connected_box(-15.0));  // by one and a half
    EXPECT_GT(up[4], 0.1F);
    EXPECT_LT(up[2], 1e-6F);
    const std::vector<float> apart = gas_beyond(connected_box(60.0));
    EXPECT_LT(*std::ranges::max_element(apart), 1e-6F);
}

TEST(FaultedBox, ConservesMassesAndKeepsItsPressureSolver) {
    for (const double throw_of : {5.0, 12.0, -27.0}) {
        BoxCase box = faulted_box(throw_of, 5.0);
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        for (double& value : box.permeability_x) {
            value *= std::exp(1.5 * normal(random));
        }
        connect_cells(box, throw_of);
        box.cell_injection_rate[cell_of(2, 1, 3)] = 0.02;
        const BoxModel model = box_model(box);
        const FlowRun done =
            run(model.flow, box.times, {.substeps = 4}, "case 0", [](const FlowSimulation&, std::size_t, double) {});
        EXPECT_LT(done.mass_error, 1e-6) << throw_of;
        EXPECT_LT(done.pressure_iterations, 30 * (done.steps + done.retaken)) << throw_of;
    }
}

TEST(FaultedBox, StaysAtRestWithoutInjection) {
    BoxCase box = connected_box(12.0, 5.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    const PhysicsFields fields = box_physics(box, {1}, "case 0");
    for (const float value : fields.fields.at("physics_pressure_buildup")) {
        ASSERT_LT(std::abs(value), 1e-4F);
    }
}

TEST(FaultedBox, AddsConnectionsBetweenTheSameCells) {
    BoxCase box = connected_box(0.0), other = box;
    const std::size_t cell = cell_of(2, 1, 3);
    other.connections.push_back({cell + 1, cell, 0.5 * box.transmissibility_x[cell]});
    box.transmissibility_x[cell] *= 1.5;
    const BoxModel one = box_model(box), two = box_model(other);
    EXPECT_EQ(one.flow.connections.size(), two.flow.connections.size());
    EXPECT_NEAR(gas_beyond(box)[2], gas_beyond(other)[2], 1e-5F);
}

TEST(FaultedBox, WellsTakeStatedFactors) {
    BoxCase box = connected_box(5.0);
    const double usual = box_wells(box)[0].factors[2];
    EXPECT_NEAR(usual, box_connection_factor(width, width, height, 200.0, 200.0, box.well_radius), 1e-9);
    box.well_connection_factor.assign(box.cells(), 0.0);
    EXPECT_EQ(box_wells(box)[0].factors[2], usual);
    box.well_connection_factor[cell_of(2, 1, 3)] = 0.5 * usual;
    EXPECT_EQ(box_wells(box)[0].factors[2], 0.5 * usual);
    EXPECT_EQ(box_wells(box)[0].depth, 25.0);
}

TEST(FaultedBox, RefusesArraysOfOtherSizes) {
    BoxCase box = connected_box(5.0);
    box.transmissibility_y.pop_back();
    EXPECT_THROW(box.check("case 0"), InvalidInput);
    box = connected_box(5.0);
    box.connections.push_back({0, box.cells(), 1.0});
    try {
        box.check("case 0");
        FAIL() << "a cell beyond the grid";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("connection"));
    }
}

}  // namespace
}  // namespace plumecast::connections
