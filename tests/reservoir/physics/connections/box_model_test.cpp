#include "reservoir/physics/connections/box_model.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/connections/cell_state.hpp"
#include "reservoir/physics/connections/even_edges.hpp"

namespace plumecast::connections {
namespace {

using ::testing::ElementsAre;

/// A box of one rock, with a well along the whole height of each of the columns named.
BoxCase box_with_wells(std::size_t rows, std::size_t columns, const std::vector<std::size_t>& wells) {
    BoxCase box;
    box.z_edges = even_edges(rows, 20.0);
    box.y_edges = even_edges(1, 200.0);
    box.x_edges = even_edges(columns, 200.0);
    box.times = {50.0, 200.0, 800.0};
    box.permeability_x.assign(box.cells(), 200.0);
    box.permeability_y = box.permeability_z = box.permeability_x;
    box.porosity.assign(box.cells(), 0.2);
    box.active.assign(box.cells(), 1);
    box.perforation.assign(box.cells(), 0.0);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    for (const std::size_t column : wells) {
        for (std::size_t row = 0; row < rows; ++row) {
            box.perforation[row * columns + column] = 1.0;
            box.cell_injection_rate[row * columns + column] = 0.001;
        }
    }
    box.initial_pressure = 150.0;
    box.temperature = 55.0;
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
    return box;
}

TEST(BoxModel, JoinsPeriodsInWhichNoWellChangesItsRate) {
    BoxCase box = box_with_wells(2, 4, {0, 3});
    box.schedule_ends = {100.0, 200.0, 300.0, 400.0};
    box.schedule_rates = {{0.1, 0.1, 0.1, 0.0}, {0.1, 0.1, 0.3, 0.3}};
    const FlowModel flow = box_model(box).flow;
    EXPECT_THAT(flow.period_ends, ElementsAre(200.0, 300.0, 400.0)) << "the second well changes at day 200 alone";
    EXPECT_THAT(flow.wells.at(0).rates, ElementsAre(0.1, 0.1, 0.0));
    EXPECT_THAT(flow.wells.at(1).rates, ElementsAre(0.1, 0.3, 0.3));
}

TEST(BoxModel, GivesCellsOfOwnDepthsTheirTemperatures) {
    BoxCase box = box_with_wells(3, 8, {0});
    box.rock_fluid.temperature_gradient = 0.04;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        box.cell_depth.push_back(0.5 + 37.0 * static_cast<double>(cell / 8) + 1.7 * static_cast<double>(cell % 8));
    }
    const BoxModel model = box_model(box);
    const double range = box.cell_depth.back() - box.cell_depth.front();
    for (std::size_t i = 0; i < model.places.size(); ++i) {
        const double wanted = box.temperature_at(box.cell_depth[model.places[i]]);
        const double half_a_level = 0.5 * 0.04 * range / static_cast<double>(model.flow.temperatures.size());
        EXPECT_NEAR(model.flow.temperatures[model.flow.warmth[i]], wanted, 1.001 * half_a_level) << i;
    }
}

TEST(CellProperties, GiveTheStrainOfPoresAndTheVolumeOfCo2InSaltBrine) {
    BoxCase box = box_with_wells(1, 3, {1});
    box.salinity = 0.2;
    box.rock_fluid.rock_compressibility = 1e-3;
    const FlowModel flow = box_model(box).flow;
    const CellProperties properties(flow);
    CellState state;
    for (const double above : {-100.0, 100.0}) {
        properties.set_pressure(state, 0, box.initial_pressure + above);
        const double strain = 1e-3 * above;
        EXPECT_NEAR(state.pore_volume / flow.pore_volume[0], std::exp(strain),
                    0.2 * std::abs(strain * strain * strain));
    }
    EXPECT_DOUBLE_EQ(1.0 / state.swelling, dissolved_co2_density(box.initial_pressure, box.temperature, box.salinity));
}

TEST(BoxPhysics, GivesASectionAlongYWhatItGivesOneAlongX) {
    BoxCase along_x = box_with_wells(2, 5, {1});
    for (std::size_t cell = 0; cell < along_x.cells(); ++cell) {
        along_x.permeability_x[cell] *= 1.0 + static_cast<double>(cell % 3);
    }
    BoxCase along_y = along_x;  // its cells lie in the same order
    std::swap(along_y.x_edges, along_y.y_edges);
    std::swap(along_y.permeability_x, along_y.permeability_y);
    const auto fields_of = [](const BoxCase& box) { return box_physics(box, {2}, "case 0").fields; };
    EXPECT_EQ(fields_of(along_y), fields_of(along_x));
}

TEST(BoxPhysics, TakesNoBrineThroughTheLowerPartOfAWell) {
    // Brine is heavier than CO2: at a small rate it would flow into the well below, out of layers that get none back.
    BoxCase box = box_with_wells(20, 5, {0});
    box.permeability_z.assign(box.cells(), 1e-4);
    const std::vector<float> buildup = box_physics(box, {2}, "case 0").fields.at("physics_pressure_buildup");
    for (const float value : buildup) {
        ASSERT_GT(value, -0.01F);
    }
}

}  // namespace
}  // namespace plumecast::connections
