#include "reservoir/regridding/rock_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace plumecast::testing {
namespace {

GridAndTimes grid_of(std::vector<double> r_edges, std::vector<double> z_edges) {
    return {std::move(r_edges), {}, {}, std::move(z_edges), {1.0}};
}

/// Rock that differs from cell to cell, all of it active, the well open in the first column.
RockMaps uneven_rock(const GridAndTimes& grid) {
    RockMaps rock;
    for (std::size_t cell = 0; cell < grid.rows() * grid.columns(); ++cell) {
        const auto i = static_cast<double>(cell);
        rock.permeability_r.push_back(10.0 + 7.0 * std::fmod(i, 5.0));
        rock.permeability_z.push_back(1.0 + std::fmod(i, 3.0));
        rock.porosity.push_back(0.1 + 0.02 * std::fmod(i, 7.0));
        rock.perforation.push_back(cell % grid.columns() == 0 ? 1.0 : 0.0);
        rock.active.push_back(1);
    }
    return rock;
}

double volume(const GridAndTimes& grid, std::size_t cell) {
    const std::size_t row = cell / grid.columns(), column = cell % grid.columns();
    const double outer = grid.r_edges[column + 1], inner = grid.r_edges[column];
    return (outer * outer - inner * inner) * (grid.z_edges[row + 1] - grid.z_edges[row]);
}

double pore_volume(const RockMaps& rock, const GridAndTimes& grid) {
    double sum = 0.0;
    for (std::size_t cell = 0; cell < rock.porosity.size(); ++cell) {
        sum += rock.active[cell] != 0 ? rock.porosity[cell] * volume(grid, cell) : 0.0;
    }
    return sum;
}

const GridAndTimes coarse = grid_of({0.1, 2.0, 10.0, 40.0, 200.0, 1000.0}, {0.0, 3.0, 7.0, 12.0, 20.0});

TEST(RockAverageTest, KeepsThePoreVolumeWhateverTheEdges) {
    const RockMaps rock = uneven_rock(coarse);
    for (const GridAndTimes& to : {grid_of({0.1, 5.0, 30.0, 1000.0}, {0.0, 4.0, 9.5, 20.0}),
                                   grid_of({0.1, 1.0, 2.0, 3.3, 77.0, 500.0, 1000.0}, {0.0, 1.0, 2.0, 13.0, 20.0}),
                                   grid_of({0.1, 1000.0}, {0.0, 20.0})}) {
        const RockMaps brought = averaged_rock(rock, coarse, to);
        EXPECT_NEAR(pore_volume(brought, to) / pore_volume(rock, coarse), 1.0, 1e-12) << to.text();
    }
}

TEST(RockAverageTest, LeavesRockOnItsOwnGridAsItIs) {
    const RockMaps rock = uneven_rock(coarse), brought = averaged_rock(rock, coarse, coarse);
    for (std::size_t cell = 0; cell < rock.porosity.size(); ++cell) {
        EXPECT_NEAR(brought.porosity[cell] / rock.porosity[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.permeability_r[cell] / rock.permeability_r[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.permeability_z[cell] / rock.permeability_z[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.perforation[cell], rock.perforation[cell], 1e-12);
    }
    EXPECT_EQ(brought.active, rock.active);
}

TEST(RockAverageTest, AveragesAsTheFlowGoes) {
    const GridAndTimes fine = grid_of({1.0, 10.0, 100.0}, {0.0, 2.0, 6.0}), one = grid_of({1.0, 100.0}, {0.0, 6.0});
    const RockMaps rock{
        {10.0, 20.0, 40.0, 80.0}, {1.0, 2.0, 4.0, 8.0}, {0.1, 0.1, 0.2, 0.2}, {1.0, 0, 0.5, 0}, {1, 1, 1, 1}};
    const RockMaps brought = averaged_rock(rock, fine, one);
    // Over the height 30 and 60 mD; in series over rings of the same logarithmic width.
    EXPECT_NEAR(brought.permeability_r[0], 40.0, 1e-12);
    // In series over the height 6 / (2 / 1 + 4 / 4) = 2 and 4 mD; by area.
    EXPECT_NEAR(brought.permeability_z[0], (99.0 * 2.0 + 9900.0 * 4.0) / 9999.0, 1e-12);
    EXPECT_NEAR(brought.porosity[0], (2.0 * 0.1 + 4.0 * 0.2) / 6.0, 1e-12);
    // Of the first column, by permeability times height.
    EXPECT_NEAR(brought.perforation[0], (2.0 * 10.0 + 0.5 * 4.0 * 40.0) / (2.0 * 10.0 + 4.0 * 40.0), 1e-12);
}

TEST(RockAverageTest, RepeatsCoarseRockOnAFinerGrid) {
    const GridAndTimes one = grid_of({1.0, 100.0}, {0.0, 6.0}), fine = grid_of({1.0, 10.0, 100.0}, {0.0, 2.0, 6.0});
    const RockMaps brought = averaged_rock({{10.0}, {1.0}, {0.2}, {0.5}, {1}}, one, fine);
    for (std::size_t cell = 0; cell < 4; ++cell) {
        EXPECT_NEAR(brought.permeability_r[cell], 10.0, 1e-12);
        EXPECT_NEAR(brought.permeability_z[cell], 1.0, 1e-12);
        EXPECT_NEAR(brought.porosity[cell], 0.2, 1e-12);
        EXPECT_EQ(brought.perforation[cell], cell % 2 == 0 ? 0.5 : 0.0);
    }
}

TEST(RockAverageTest, MakesCellsActiveByHalfAndLosesNoPores) {
    const GridAndTimes three = grid_of({1.0, 100.0}, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
    RockMaps rock = uneven_rock(three);
    rock.active = {1, 1, 1, 1, 0, 0};
    const GridAndTimes two = grid_of({1.0, 100.0}, {0.0, 3.0, 6.0}), half = grid_of({1.0, 100.0}, {0.0, 2.0, 6.0});
    const RockMaps lost = averaged_rock(rock, three, two), kept = averaged_rock(rock, three, half);
    EXPECT_EQ(lost.active, (std::vector<char>{1, 0}));
    EXPECT_EQ(kept.active, (std::vector<char>{1, 1}));
    EXPECT_NEAR(pore_volume(lost, two) / pore_volume(rock, three), 1.0, 1e-12);
    EXPECT_NEAR(pore_volume(kept, half) / pore_volume(rock, three), 1.0, 1e-12);
    rock.active = {1, 0, 0, 0, 0, 0};
    EXPECT_EQ(averaged_rock(rock, three, two).active, (std::vector<char>{1, 0}));
    rock.active = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(averaged_rock(rock, three, two).active, (std::vector<char>{0, 0}));
}

TEST(RockAverageTest, ContinuesTheOutermostRingsButNotTheRows) {
    const GridAndTimes to = grid_of({0.05, 1000.0, 5000.0, 9000.0}, {0.0, 20.0, 50.0});
    const RockMaps rock = uneven_rock(coarse), brought = averaged_rock(rock, coarse, to);
    EXPECT_EQ(brought.active, (std::vector<char>{1, 1, 1, 0, 0, 0}));
    EXPECT_NEAR(brought.porosity[1], brought.porosity[2], 1e-12);
    EXPECT_NEAR(brought.permeability_r[1],
                (3 * rock.permeability_r[4] + 4 * rock.permeability_r[9] + 5 * rock.permeability_r[14] +
                 8 * rock.permeability_r[19]) /
                    20.0,
                1e-12);
    EXPECT_NEAR(brought.permeability_r[4], brought.permeability_r[1], 1e-12);
}

}  // namespace
}  // namespace plumecast::testing
