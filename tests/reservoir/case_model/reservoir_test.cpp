#include "reservoir/case_model/reservoir.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include <gmock/gmock.h>

namespace plumecast::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const LatticeSettings settings;
const RadialGrid fine_lattice = radial_grid(settings, 96, 200);

double pore_volume(const Geology& rock, const RadialGrid& grid, std::size_t rows) {
    double sum = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t j = 0; j < grid.columns(); ++j) {
            const double area = std::pow(grid.r_edges[j + 1], 2) - std::pow(grid.r_edges[j], 2);
            sum += std::numbers::pi * area * (grid.z_edges[row + 1] - grid.z_edges[row]) *
                   rock.porosity[row * grid.columns() + j];
        }
    }
    return sum;
}

SampledCase sampled_case(double thickness) {
    SampledCase sampled = sample_case(GeneratorConfiguration{}, 11);
    sampled.thickness = thickness;
    sampled.perforation_top = 0.0;
    sampled.perforation_length = thickness;
    return sampled;
}

TEST(RadialGrid, HasThePublishedEdgesOnTheLattice) {
    EXPECT_EQ(fine_lattice.r_edges.front(), 0.1);
    EXPECT_NEAR(fine_lattice.r_edges[1], 3.6938, 1e-12);
    EXPECT_NEAR(fine_lattice.r_edges.back(), 99992.8, 0.1);
    EXPECT_NEAR(fine_lattice.z_edges[1], 2.08333, 1e-5);
    const RadialGrid coarse = radial_grid(settings, 32, 64);
    EXPECT_NEAR(coarse.r_edges[1], 11.75389829, 1e-8);
    EXPECT_EQ(coarse.r_edges[8], fine_lattice.r_edges[25]);
}

TEST(SnapshotTimes, AreThePublishedOnes) {
    const std::vector<double> times = snapshot_times(TimeSettings{});
    EXPECT_EQ(times.size(), 24u);
    EXPECT_EQ(times.front(), 1.0);
    EXPECT_NEAR(times.back(), 10950.3, 0.1);
}

TEST(Averaged, KeepsPoreVolumeOnAnyGrid) {
    const SampledCase sampled = sampled_case(200.0);
    const Geology rock = draw_geology(GeneratorConfiguration{}, sampled, fine_lattice);
    const double expected = pore_volume(rock, fine_lattice, 96);
    for (const auto& [rows, columns] : {std::pair{96, 200}, {32, 64}, {8, 16}, {7, 13}, {120, 250}}) {
        const RadialGrid grid = radial_grid(settings, rows, columns);
        const Geology mean = averaged(rock, fine_lattice, grid, grid.rows());
        EXPECT_NEAR(pore_volume(mean, grid, grid.rows()) / expected, 1.0, 1e-9) << rows;
    }
}

TEST(Averaged, LeavesTheLatticeAsItIs) {
    const Geology rock = draw_geology(GeneratorConfiguration{}, sampled_case(200.0), fine_lattice);
    const Geology mean = averaged(rock, fine_lattice, fine_lattice, 96);
    for (std::size_t i = 0; i < rock.porosity.size(); ++i) {
        ASSERT_NEAR(mean.permeability_r[i] / rock.permeability_r[i], 1.0, 1e-12);
        ASSERT_NEAR(mean.permeability_z[i] / rock.permeability_z[i], 1.0, 1e-12);
    }
}

TEST(Averaged, JoinsLayersArithmeticallyAlongAndInSeriesAcross) {
    const RadialGrid fine{{1.0, 2.0}, {0.0, 1.0, 3.0}};
    const RadialGrid coarse{{1.0, 2.0}, {0.0, 3.0}};
    const Geology mean = averaged({{10.0, 40.0}, {1.0, 4.0}, {0.1, 0.4}}, fine, coarse, 1);
    EXPECT_NEAR(mean.permeability_r[0], 30.0, 1e-12);
    EXPECT_NEAR(mean.permeability_z[0], 2.0, 1e-12);
    EXPECT_NEAR(mean.porosity[0], 0.3, 1e-12);
}

TEST(Averaged, JoinsRingsInSeriesOutwardsAndByAreaUpwards) {
    const RadialGrid fine{{1.0, 2.0, 8.0}, {0.0, 1.0}};
    const RadialGrid coarse{{1.0, 8.0}, {0.0, 1.0}};
    const Geology mean = averaged({{10.0, 40.0}, {3.0, 6.0}, {0.1, 0.4}}, fine, coarse, 1);
    EXPECT_NEAR(mean.permeability_r[0], std::log(8.0) / (std::log(2.0) / 10.0 + std::log(4.0) / 40.0), 1e-12);
    EXPECT_NEAR(mean.permeability_z[0], (3.0 * 3.0 + 60.0 * 6.0) / 63.0, 1e-12);
    EXPECT_NEAR(mean.porosity[0], (3.0 * 0.1 + 60.0 * 0.4) / 63.0, 1e-12);
}

TEST(MakeReservoir, TakesTheWholeRowsWithinTheThickness) {
    const RadialGrid grid = radial_grid(settings, 32, 16);  // rows of 6.25 m
    const auto rows = [&](double thickness) {
        const SampledCase sampled = sampled_case(thickness);
        const Geology rock = draw_geology(GeneratorConfiguration{}, sampled, fine_lattice);
        return make_reservoir(sampled, rock, fine_lattice, grid).active_rows;
    };
    EXPECT_EQ(rows(12.5), 2u);
    EXPECT_EQ(rows(18.7), 2u);
    EXPECT_EQ(rows(18.75), 3u);
    EXPECT_EQ(rows(200.0), 32u);
    EXPECT_EQ(rows(3.0), 1u);
}

TEST(MakeReservoir, PerforatesThePartsOfRowsWithinTheInterval) {
    const RadialGrid grid = radial_grid(settings, 8, 16);  // rows of 25 m
    SampledCase sampled = sampled_case(110.0);
    const Geology rock = draw_geology(GeneratorConfiguration{}, sampled, fine_lattice);
    sampled.perforation_top = 20.0;
    sampled.perforation_length = 40.0;
    EXPECT_THAT(make_reservoir(sampled, rock, fine_lattice, grid).perforation, ElementsAre(0.2, 1.0, 0.4, 0.0));
    sampled.perforation_top = 95.0;  // the grid ends at 100 m
    sampled.perforation_length = 15.0;
    EXPECT_THAT(make_reservoir(sampled, rock, fine_lattice, grid).perforation, ElementsAre(0.0, 0.0, 0.0, 0.6));
    sampled.perforation_length = 110.0;
    EXPECT_THAT(make_reservoir(sampled, rock, fine_lattice, grid).perforation, Each(1.0));
}

TEST(EstimatedBuildup, GrowsWithRateAndFallsWithPermeability) {
    SampledCase sampled = sampled_case(100.0);
    const RadialGrid grid = radial_grid(settings, 8, 16);
    Geology rock;
    rock.permeability_r.assign(96 * 200, 100.0);
    rock.permeability_z = rock.permeability_r;
    rock.porosity.assign(96 * 200, 0.2);
    sampled.injection_rate = 1.0;
    const double one = estimated_buildup(make_reservoir(sampled, rock, fine_lattice, grid), 10950.0);
    EXPECT_GT(one, 1.0);
    EXPECT_LT(one, 100.0);
    sampled.injection_rate = 2.0;
    const double two = estimated_buildup(make_reservoir(sampled, rock, fine_lattice, grid), 10950.0);
    EXPECT_GT(two, 1.8 * one);
    rock.permeability_r.assign(96 * 200, 10.0);
    EXPECT_GT(estimated_buildup(make_reservoir(sampled, rock, fine_lattice, grid), 10950.0), 5.0 * two);
}

}  // namespace
}  // namespace plumecast::testing
