#include "reservoir/physics/connections/box_physics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/connection_flow.hpp"
#include "reservoir/physics/connections/even_edges.hpp"
#include "reservoir/physics/cylinder.hpp"

namespace plumecast::connections {
namespace {

/// Drawn rock and a well whose rate changes each year, at times up to 32 years apart.
BoxCase intermittent_box(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    BoxCase box;
    box.z_edges = even_edges(3 + seed % 4, 12.0);
    box.y_edges = box.x_edges = even_edges(5, 400.0);
    const double mean = 10.0 * std::exp(uniform(random) * std::log(30.0)), spread = 0.3 + 1.5 * uniform(random);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const double drawn = normal(random);
        box.permeability_x.push_back(mean * std::exp(spread * drawn));
        box.permeability_z.push_back(0.1 * box.permeability_x.back());
        box.porosity.push_back(std::clamp(0.2 + 0.03 * drawn, 0.05, 0.35));
    }
    box.permeability_y = box.permeability_x;
    box.active.assign(box.cells(), 1);
    box.initial_pressure = 100.0 + 150.0 * uniform(random);
    box.temperature = 35.0 + 60.0 * uniform(random);
    box.salinity = 0.15 * uniform(random);
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.aquifer = 1000.0;
    const double rate = 0.2 + 4.0 * uniform(random);
    box.perforation.assign(box.cells(), 0.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    for (std::size_t row = box.rows() / 2; row < box.rows(); ++row) {
        const std::size_t cell = row * box.plane() + 2 * box.columns() + 3;
        box.perforation[cell] = 1.0;
        box.cell_injection_rate[cell] = 1.0 / static_cast<double>(box.rows() - box.rows() / 2);
    }
    box.schedule_rates.emplace_back();
    for (int year = 1; year <= 103; ++year) {
        box.schedule_ends.push_back(365.25 * year);
        box.schedule_rates[0].push_back(uniform(random) < 0.3 ? 0.0 : rate * (0.5 + uniform(random)));
    }
    double time = 0.0, step = 10.0;
    for (int i = 0; i < 20; ++i, step *= 1.45) {
        box.times.push_back(time += step);
    }
    return box;
}

TEST(BoxPhysics, GoesOnWhereAStepLeavesItsCo2NoRoom) {
    int ended = 0;
    for (const unsigned seed : {25U, 34U, 51U, 132U}) {
        SCOPED_TRACE(seed);
        const BoxCase box = intermittent_box(seed);
        const BoxModel model = box_model(box);
        const auto run_with = [&](const FlowIterations& iterations) {
            return run(
                model.flow, box.times, {.substeps = 1}, "the case", [](const FlowSimulation&, std::size_t, double) {},
                iterations);
        };
        try {
            run_with({});
        } catch (const NotConverged&) {
            ++ended;
        }
        const FlowRun done = run_with({.leaves_room = true});
        EXPECT_LT(done.mass_error, 1e-12);
        EXPECT_LT(done.retaken, 60);  // of 215 planned steps
        const PhysicsFields physics = box_physics(box, {1}, "the case");
        EXPECT_EQ(physics.bottom_hole_pressure.size(), box.times.size());
        for (const auto& [name, values] : physics.fields) {
            EXPECT_EQ(values.size(), box.times.size() * box.cells()) << name;
            EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) << name;
        }
    }
    EXPECT_GT(ended, 0);
}

/// A step of each ends with a pressure that leaves a cell no room; the next ones go on from there all the same.
TEST(BoxPhysics, GoesOnFromCellsThatHadNoRoom) {
    for (const unsigned seed : {51U, 225U}) {
        const BoxModel model = box_model(intermittent_box(seed));
        const FlowRun done = run(model.flow, intermittent_box(seed).times, {.substeps = 1}, "the case",
                                 [](const FlowSimulation&, std::size_t, double) {});
        EXPECT_LT(done.mass_error, 1e-12) << seed;
        EXPECT_LT(done.retaken, 30) << seed;
    }
}

/// CO2 that has dissolved in a slope of permeable sand under a seal, after five years of injection at its lower end and
/// three centuries of rest [kg].
double dissolved_at_rest(int substeps) {
    BoxCase box;
    box.z_edges = even_edges(6, 10.0);
    box.y_edges = {0.0, 1.0};
    box.x_edges = even_edges(24, 100.0);
    box.permeability_x.assign(box.cells(), 1000.0);
    box.permeability_y = box.permeability_x;
    box.permeability_z.assign(box.cells(), 100.0);
    box.porosity.assign(box.cells(), 0.2);
    box.active.assign(box.cells(), 1);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t column = cell % box.columns(), row = cell / box.columns();
        box.cell_depth.push_back(10.0 * (static_cast<double>(row) + 0.5) - 2.0 * static_cast<double>(column) + 60.0);
        box.cell_volume.push_back(1000.0);
    }
    box.transmissibility_x.assign(box.cells(), cylinder::darcy * 1000.0 * 10.0 / 100.0);
    box.transmissibility_y.assign(box.cells(), 0.0);
    box.transmissibility_z.assign(box.cells(), cylinder::darcy * 100.0 * 100.0 / 10.0);
    box.initial_pressure = 150.0;
    box.temperature = 50.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    box.pore_volume.assign(box.cells(), 200.0);
    for (std::size_t row = 0; row < box.rows(); ++row) {
        box.pore_volume[(row + 1) * box.columns() - 1] *= 1000.0;
    }
    box.perforation.assign(box.cells(), 0.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    box.perforation[5 * box.columns() + 2] = 1.0;
    box.cell_injection_rate[5 * box.columns() + 2] = 1e-3;
    box.schedule_ends = {5 * 365.25};
    box.schedule_rates = {{1e-3}};
    box.times = {5 * 365.25, 55 * 365.25, 155 * 365.25, 305 * 365.25};
    const BoxModel model = box_model(box);
    double mass = 0.0;
    run(model.flow, box.times, {.substeps = substeps}, "the case",
        [&](const FlowSimulation& simulation, std::size_t, double) {
            mass = 0.0;
            for (std::size_t cell = 0; cell < model.flow.cells(); ++cell) {
                mass += simulation.dissolved(cell) * model.flow.pore_volume[cell];
            }
        });
    return mass;
}

TEST(BoxPhysics, DissolvesTheSameWithLongStepsAtRest) {
    const double dissolved = dissolved_at_rest(32);
    EXPECT_NEAR(dissolved_at_rest(4) / dissolved, 1.0, 0.03);
}

TEST(BoxPhysics, HasOneVersion) {
    try {
        box_physics(intermittent_box(1), {2, 5}, "case 3");
        ADD_FAILURE() << "version 5 was computed";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("case 3: physics.version is 5"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace plumecast::connections
