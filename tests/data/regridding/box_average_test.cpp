#include "data/regridding/box_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace plumecast::testing {
namespace {

GridAndTimes grid_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
    return {{}, std::move(x), std::move(y), std::move(z), {1.0}};
}

const GridAndTimes from = grid_of({0.0, 100.0, 250.0, 400.0}, {0.0, 150.0, 300.0}, {0.0, 4.0, 10.0});

/// All cells active, with one well in the second column of the first line, open in both rows.
BoxMaps uneven_maps() {
    BoxMaps maps;
    for (std::size_t cell = 0; cell < 12; ++cell) {
        const auto i = static_cast<double>(cell);
        maps.permeability_x.push_back(10.0 + 7.0 * std::fmod(i, 5.0));
        maps.permeability_y.push_back(20.0 + 3.0 * std::fmod(i, 4.0));
        maps.permeability_z.push_back(1.0 + std::fmod(i, 3.0));
        maps.porosity.push_back(0.1 + 0.02 * std::fmod(i, 7.0));
        maps.perforation.push_back(cell % 6 == 1 ? 0.5 : 0.0);
        maps.injection_rate.push_back(cell == 1 ? 0.3 : cell == 7 ? 0.7 : 0.0);
        maps.active.push_back(1);
    }
    return maps;
}

double pore_volume(const BoxMaps& maps, const GridAndTimes& grid) {
    double sum = 0.0;
    std::size_t cell = 0;
    for (std::size_t z = 0; z < grid.rows(); ++z) {
        for (std::size_t y = 0; y + 1 < grid.y_edges.size(); ++y) {
            for (std::size_t x = 0; x < grid.columns(); ++x, ++cell) {
                sum += maps.active[cell] == 0
                           ? 0.0
                           : maps.porosity[cell] * (grid.z_edges[z + 1] - grid.z_edges[z]) *
                                 (grid.y_edges[y + 1] - grid.y_edges[y]) * (grid.x_edges[x + 1] - grid.x_edges[x]);
            }
        }
    }
    return sum;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(BoxAverageTest, LeavesRockAndWellsOnTheirOwnGridAsTheyAre) {
    const BoxMaps maps = uneven_maps(), brought = averaged_box(maps, from, from);
    for (std::size_t cell = 0; cell < 12; ++cell) {
        EXPECT_NEAR(brought.permeability_x[cell] / maps.permeability_x[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.permeability_y[cell] / maps.permeability_y[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.permeability_z[cell] / maps.permeability_z[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.porosity[cell] / maps.porosity[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.perforation[cell], maps.perforation[cell], 1e-12);
        EXPECT_NEAR(brought.injection_rate[cell], maps.injection_rate[cell], 1e-12);
    }
    EXPECT_EQ(brought.active, maps.active);
}

TEST(BoxAverageTest, KeepsPoreVolumeAndRateWhateverTheEdges) {
    BoxMaps maps = uneven_maps();
    for (const std::vector<char>& active :
         {std::vector<char>(12, 1), std::vector<char>{1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0}}) {
        maps.active = active;
        for (const GridAndTimes& to :
             {grid_of({0.0, 60.0, 130.0, 400.0}, {0.0, 100.0, 210.0, 300.0}, {0.0, 1.0, 6.0, 10.0}),
              grid_of({0.0, 400.0}, {0.0, 300.0}, {0.0, 10.0}),
              grid_of({0.0, 50.0, 100.0, 175.0, 250.0, 400.0}, {0.0, 30.0, 150.0, 300.0},
                      {0.0, 2.0, 3.0, 4.0, 10.0})}) {
            const BoxMaps brought = averaged_box(maps, from, to);
            EXPECT_NEAR(pore_volume(brought, to) / pore_volume(maps, from), 1.0, 1e-12) << to.text();
            EXPECT_NEAR(total(brought.injection_rate), 1.0, 1e-12) << to.text();
        }
    }
}

TEST(BoxAverageTest, KeepsAWellInOneColumnWhereItsCentreIs) {
    // The centre of the well's column is at x = 175 m, y = 75 m.
    const GridAndTimes to = grid_of({0.0, 60.0, 170.0, 180.0, 400.0}, {0.0, 70.0, 80.0, 300.0}, {0.0, 4.0, 7.0, 10.0});
    const BoxMaps brought = averaged_box(uneven_maps(), from, to);
    for (std::size_t cell = 0; cell < brought.injection_rate.size(); ++cell) {
        const bool is_well = cell % 12 == 1 * 4 + 2;
        EXPECT_EQ(brought.injection_rate[cell] > 0.0, is_well) << cell;
        EXPECT_NEAR(brought.perforation[cell], is_well ? 0.5 : 0.0, 1e-12) << cell;
    }
    EXPECT_NEAR(brought.injection_rate[6], 0.3, 1e-12);
    EXPECT_NEAR(brought.injection_rate[12 + 6], 0.35, 1e-12);
}

TEST(BoxAverageTest, AveragesAsTheFlowGoes) {
    const GridAndTimes two = grid_of({0.0, 100.0, 200.0}, {0.0, 50.0, 100.0}, {0.0, 5.0}),
                       one = grid_of({0.0, 200.0}, {0.0, 100.0}, {0.0, 5.0});
    const BoxMaps maps{{10.0, 30.0, 20.0, 20.0}, {10.0, 30.0, 20.0, 20.0}, {1.0, 2.0, 3.0, 4.0}, {0.1, 0.2, 0.3, 0.2},
                       {0.0, 0.0, 0.0, 0.0},     {0.0, 0.0, 0.0, 0.0},     {1, 1, 1, 1}};
    const BoxMaps brought = averaged_box(maps, two, one);
    // In series 15 and 20 mD along x, side by side; along y 2 / (1 / 10 + 1 / 20) and 2 / (1 / 30 + 1 / 20).
    EXPECT_NEAR(brought.permeability_x[0], 17.5, 1e-12);
    EXPECT_NEAR(brought.permeability_y[0], 0.5 * (40.0 / 3.0 + 24.0), 1e-12);
    EXPECT_NEAR(brought.permeability_z[0], 2.5, 1e-12);
    EXPECT_NEAR(brought.porosity[0], 0.2, 1e-12);
}

}  // namespace
}  // namespace plumecast::testing
