#include "reservoir/regridding/box_average.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// A grid and its maps stated along axes that are turned by 90 degrees: x leads north, y west.
GridAndTimes turned(const GridAndTimes& grid) {
    GridAndTimes result = grid_of(grid.y_edges, {}, grid.z_edges);
    for (auto edge = grid.x_edges.rbegin(); edge != grid.x_edges.rend(); ++edge) {
        result.y_edges.push_back(-*edge);
    }
    result.place.rotation = 90.0;
    return result;
}

template <class Value>
std::vector<Value> turned(const std::vector<Value>& map, const GridAndTimes& grid) {
    const std::size_t columns = grid.columns(), lines = grid.y_edges.size() - 1;
    std::vector<Value> result;
    for (std::size_t z = 0; z < grid.rows(); ++z) {
        for (std::size_t column = columns; column-- > 0;) {
            for (std::size_t line = 0; line < lines; ++line) {
                result.push_back(map[(z * lines + line) * columns + column]);
            }
        }
    }
    return result;
}

BoxMaps turned(const BoxMaps& maps, const GridAndTimes& grid) {
    return {turned(maps.permeability_y, grid), turned(maps.permeability_x, grid), turned(maps.permeability_z, grid),
            turned(maps.porosity, grid),       turned(maps.perforation, grid),    turned(maps.injection_rate, grid),
            turned(maps.active, grid)};
}

TEST(BoxAverageTest, GivesTheSameOfAGridThatIsStatedAlongTurnedAxes) {
    GridAndTimes to = grid_of({0.0, 60.0, 130.0, 400.0}, {0.0, 100.0, 210.0, 300.0}, {0.0, 1.0, 6.0, 10.0});
    to.place.rotation = 0.0;
    BoxMaps maps = uneven_maps();
    maps.active[4] = 0;
    const BoxMaps expected = averaged_box(maps, from, to);
    GridAndTimes seen = from;
    for (int quarters = 0; quarters < 4; ++quarters) {
        const BoxMaps brought = averaged_box(maps, aligned_with(seen, to), to);
        EXPECT_EQ(brought.active, expected.active);
        for (std::size_t cell = 0; cell < 27; ++cell) {
            EXPECT_NEAR(brought.permeability_x[cell] / expected.permeability_x[cell], 1.0, 1e-12) << quarters;
            EXPECT_NEAR(brought.permeability_y[cell] / expected.permeability_y[cell], 1.0, 1e-12) << quarters;
            EXPECT_NEAR(brought.permeability_z[cell] / expected.permeability_z[cell], 1.0, 1e-12) << quarters;
            EXPECT_NEAR(brought.porosity[cell], expected.porosity[cell], 1e-12) << quarters;
            EXPECT_NEAR(brought.perforation[cell], expected.perforation[cell], 1e-12) << quarters;
            EXPECT_NEAR(brought.injection_rate[cell], expected.injection_rate[cell], 1e-12) << quarters;
        }
        maps = turned(maps, seen);
        const double rotation = 90.0 * (quarters + 1);
        seen = turned(seen);
        seen.place.rotation = rotation;
    }
}

TEST(BoxAverageTest, KeepsPoreVolumeAndRateUnderAnyAngle) {
    BoxMaps maps = uneven_maps();
    // Inactive columns all around, so that nothing is continued beyond the grid.
    const GridAndTimes wide =
        grid_of({0.0, 50.0, 100.0, 250.0, 400.0, 450.0}, {0.0, 40.0, 150.0, 300.0, 340.0}, {0.0, 4.0, 10.0});
    BoxMaps around;
    for (const auto& [ring, map] : {std::pair{&around.permeability_x, &maps.permeability_x},
                                    {&around.permeability_y, &maps.permeability_y},
                                    {&around.permeability_z, &maps.permeability_z},
                                    {&around.porosity, &maps.porosity},
                                    {&around.perforation, &maps.perforation},
                                    {&around.injection_rate, &maps.injection_rate}}) {
        for (std::size_t cell = 0; cell < 40; ++cell) {
            const std::size_t x = cell % 5, y = cell / 5 % 4;
            const bool is_inside = x > 0 && x < 4 && y > 0 && y < 3;
            ring->push_back(is_inside ? (*map)[(cell / 20 * 2 + y - 1) * 3 + x - 1] : 0.0);
        }
    }
    for (std::size_t cell = 0; cell < 40; ++cell) {
        const std::size_t x = cell % 5, y = cell / 5 % 4;
        around.active.push_back(x > 0 && x < 4 && y > 0 && y < 3 ? 1 : 0);
    }
    for (const double degrees : {0.0, 12.5, 30.0, 45.0, 90.0, 200.0, -75.0}) {
        GridAndTimes rotated = wide;
        rotated.place.rotation = degrees;
        for (GridAndTimes to :
             {grid_of({0.0, 60.0, 130.0, 400.0, 900.0}, {0.0, 100.0, 210.0, 900.0}, {0.0, 1.0, 6.0, 10.0}),
              grid_of({0.0, 900.0}, {0.0, 900.0}, {0.0, 10.0})}) {
            to.place.rotation = 0.0;
            const BoxMaps brought = averaged_box(around, aligned_with(rotated, to), to);
            EXPECT_NEAR(pore_volume(brought, to) / pore_volume(around, wide), 1.0, 1e-8) << degrees << " " << to.text();
            EXPECT_NEAR(total(brought.injection_rate), 1.0, 1e-12) << degrees << " " << to.text();
        }
    }
}

TEST(BoxAverageTest, TurnsThePermeabilityWithTheAxes) {
    BoxMaps maps = uneven_maps();
    std::ranges::fill(maps.permeability_x, 100.0);
    std::ranges::fill(maps.permeability_y, 20.0);
    GridAndTimes users = from, to = grid_of({0.0, 60.0, 130.0, 400.0}, {0.0, 100.0, 210.0, 300.0}, {0.0, 10.0});
    to.place.rotation = 0.0;
    for (const double degrees : {30.0, 150.0}) {
        users.place.rotation = degrees;
        const BoxMaps brought = averaged_box(maps, aligned_with(users, to), to);
        for (std::size_t cell = 0; cell < 9; ++cell) {
            EXPECT_NEAR(brought.permeability_x[cell], 0.75 * 100.0 + 0.25 * 20.0, 1e-6);
            EXPECT_NEAR(brought.permeability_y[cell], 0.25 * 100.0 + 0.75 * 20.0, 1e-6);
        }
    }
}

TEST(BoxAverageTest, AveragesAlongRotatedAxesLikeAlongTheOwn) {
    // Layers of rock across x, so many that a cell of the other grid, seen from any side, holds a fair share of both.
    GridAndTimes layers = grid_of({}, {0.0, 4000.0}, {0.0, 10.0}),
                 to = grid_of({0.0, 4000.0}, {0.0, 4000.0}, {0.0, 10.0});
    BoxMaps maps;
    for (std::size_t i = 0; i <= 200; ++i) {
        layers.x_edges.push_back(20.0 * static_cast<double>(i));
    }
    for (std::size_t i = 0; i < 200; ++i) {
        maps.permeability_x.push_back(i % 2 == 0 ? 30.0 : 10.0);
        maps.permeability_y.push_back(maps.permeability_x.back());
        for (std::vector<double>* map :
             {&maps.permeability_z, &maps.porosity, &maps.perforation, &maps.injection_rate}) {
            map->push_back(map == &maps.porosity ? 0.2 : 1.0);
        }
        maps.active.push_back(1);
    }
    layers.place.rotation = to.place.rotation = 0.0;
    const BoxMaps across = averaged_box(maps, layers, to);
    EXPECT_NEAR(across.permeability_x[0], 15.0, 1e-9);
    EXPECT_NEAR(across.permeability_y[0], 20.0, 1e-9);
    layers.place.rotation = 90.0;
    const BoxMaps turned_layers = averaged_box(maps, aligned_with(layers, to), to);
    EXPECT_NEAR(turned_layers.permeability_x[0], across.permeability_y[0], 1e-9);
    EXPECT_NEAR(turned_layers.permeability_y[0], across.permeability_x[0], 1e-9);
    // Every way across oblique layers meets both kinds of rock.
    layers.place = {45.0, {{0.0, 0.0}}};
    const double middle = 4000.0 * std::sqrt(0.5);
    GridAndTimes within = grid_of({-500.0, 500.0}, {middle - 500.0, middle + 500.0}, {0.0, 10.0});
    within.place = {0.0, {{0.0, 0.0}}};
    const BoxMaps oblique = averaged_box(maps, aligned_with(layers, within), within);
    EXPECT_NEAR(oblique.permeability_x[0], 15.0, 0.3);
    EXPECT_NEAR(oblique.permeability_y[0], 15.0, 0.3);
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
