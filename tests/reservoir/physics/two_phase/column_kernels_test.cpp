#include "reservoir/physics/two_phase/column_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reservoir/physics/two_phase/fluid_tables.hpp"

namespace plumecast::two_phase {
namespace {

constexpr std::size_t cell_counts[] = {1, 2, 3, 7, 8, 9, 31, 32, 33};

using Values = std::vector<double>;

Values random_values(std::size_t count, double low, double high, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(low, high);
    Values values(count);
    for (double& value : values) {
        value = uniform(random);
    }
    return values;
}

/// Cells of which every third holds no gas.
struct Cells {
    Cells(std::size_t count, unsigned seed)
        : gas(random_values(count, 0.1, 20.0, seed)),
          brine(random_values(count, 0.1, 2.0, seed + 1)),
          gas_slope(random_values(count, 0.0, 0.1, seed + 2)),
          brine_slope(random_values(count, -0.01, 0.0, seed + 3)),
          capillary_slope(random_values(count, 0.0, 0.01, seed + 4)),
          density(random_values(count, 200.0, 800.0, seed + 5)),
          dissolved(random_values(count, 0.0, 50.0, seed + 6)),
          mass_slope(random_values(count, 0.001, 0.005, seed + 7)),
          buildup(random_values(count, -20.0, 20.0, seed + 8)) {
        for (std::size_t i = 0; i < count; i += 3) {
            gas[i] = gas_slope[i] = mass_slope[i] = 0.0;
        }
    }

    FlowingCells flowing() const {
        return {gas.data(),     brine.data(),     gas_slope.data(), brine_slope.data(), capillary_slope.data(),
                density.data(), dissolved.data(), mass_slope.data()};
    }
    PressedCells pressed() const { return {buildup.data(), gas.data(), brine.data(), density.data()}; }

    Values gas, brine, gas_slope, brine_slope, capillary_slope, density, dissolved, mass_slope, buildup;
};

/// Faces between two lists of cells.
struct Faces {
    explicit Faces(std::size_t count)
        : volume(random_values(count, -50.0, 50.0, 31)),
          transmissibility(random_values(count, 0.0, 10.0, 32)),
          drive(random_values(count, -3.0, 3.0, 33)),
          standing(random_values(count, -3.0, 3.0, 34)) {}

    Values volume, transmissibility, drive, standing;
};

/// What each loop makes of random cells, in turn.
std::vector<Values> results(const ColumnKernels& kernels, std::size_t count) {
    const Cells from(count, 1), to(count, 11);
    const Faces faces(count);
    std::vector<Values> all(20, Values(count));
    kernels.cross(from.flowing(), to.flowing(),
                  {faces.volume.data(), faces.transmissibility.data(), faces.drive.data()},
                  {all[0].data(), all[1].data(), all[2].data(), all[3].data(), all[19].data()}, count);
    kernels.flow(from.pressed(), to.pressed(),
                 {faces.transmissibility.data(), faces.standing.data(), faces.drive.data()},
                 {all[4].data(), all[5].data(), all[6].data(), all[7].data(), all[8].data(), all[9].data()}, count);
    const Values mass = random_values(count, -10.0, 900.0, 41), limit = random_values(count, 20.0, 60.0, 42);
    kernels.flash({mass.data(), from.density.data(), limit.data(), all[10].data(), all[11].data(), all[12].data()},
                  count);
    const Values curves = random_values(11, 0.0, 1.0, 43), fluidity = random_values(count, 0.5, 3.0, 44);
    kernels.follow_curves(
        {curves.data(), curves.data(), curves.data(), 10},
        {all[10].data(), all[11].data(), from.brine.data(), fluidity.data(), from.capillary_slope.data(),
         all[13].data(), all[14].data(), all[15].data(), all[16].data(), all[17].data(), all[18].data()},
        count);
    return all;
}

TEST(ColumnKernels, HaveTheSameBitsWithEveryInstructionSet) {
    const std::vector<ColumnKernels> all = runnable_column_kernels();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().cross, column_kernels().cross);
    for (const ColumnKernels& kernels : all) {
        for (const std::size_t size : cell_counts) {
            EXPECT_EQ(results(kernels, size), results(all.front(), size)) << size;
        }
    }
}

TEST(ColumnKernels, ShareTheMassBetweenGasAndBrine) {
    const Values mass{0.0, 30.0, 40.0, 41.0, 300.0, 600.0, 900.0}, density(mass.size(), 600.0),
        limit(mass.size(), 40.0);
    Values saturation(mass.size()), slope(mass.size()), dissolved(mass.size());
    column_kernels().flash(
        {mass.data(), density.data(), limit.data(), saturation.data(), slope.data(), dissolved.data()}, mass.size());
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) {
        EXPECT_DOUBLE_EQ(saturation[i] * density[i] + (1.0 - saturation[i]) * dissolved[i], mass[i]);
        EXPECT_EQ(slope[i], mass[i] > limit[i] ? 1.0 / 560.0 : 0.0);
    }
    EXPECT_THAT(std::vector(saturation.begin(), saturation.begin() + 3), ::testing::Each(0.0));
    EXPECT_EQ(saturation.back(), 1.0);
}

TEST(ColumnKernels, FollowTheSaturationFunctions) {
    const SaturationCurves curves(saturation_table(0.2, 0.5, 0.05));
    const Values saturation{0.0, 0.01, 0.0625, 0.3, 0.7999, 0.8, 1.0}, ones(saturation.size(), 1.0);
    std::array<Values, 6> found;
    found.fill(Values(saturation.size()));
    column_kernels().follow_curves(
        curves.arrays(),
        {saturation.data(), ones.data(), ones.data(), ones.data(), ones.data(), found[0].data(), found[1].data(),
         found[2].data(), found[3].data(), found[4].data(), found[5].data()},
        saturation.size());
    for (std::size_t i = 0; i < saturation.size(); ++i) {
        const FlowState flow = curves.at(saturation[i]);
        EXPECT_DOUBLE_EQ(found[0][i], flow.gas);
        EXPECT_DOUBLE_EQ(found[1][i], flow.brine);
        EXPECT_DOUBLE_EQ(found[2][i], flow.capillary);
        EXPECT_DOUBLE_EQ(found[3][i], flow.gas_slope);
        EXPECT_DOUBLE_EQ(found[4][i], flow.brine_slope);
        EXPECT_DOUBLE_EQ(found[5][i], flow.capillary_slope);
    }
}

/// What crosses faces.
struct Crossed {
    Values mass, dissolved, brine, by_from, by_to;
};

Crossed cross(const Cells& from, const Cells& to, const Faces& faces) {
    const std::size_t count = faces.volume.size();
    Crossed found{Values(count), Values(count), Values(count), Values(count), Values(count)};
    const FaceDrives drives{faces.volume.data(), faces.transmissibility.data(), faces.drive.data()};
    const FaceFlows flows{found.mass.data(), found.dissolved.data(), found.brine.data(), found.by_from.data(),
                          found.by_to.data()};
    column_kernels().cross(from.flowing(), to.flowing(), drives, flows, count);
    return found;
}

/// Mass through faces whose cells hold so much more CO2, their properties linear in it.
Values crossed(Cells from, Cells to, const Faces& faces, double more_from, double more_to) {
    Faces driven = faces;
    for (std::size_t i = 0; i < faces.volume.size(); ++i) {
        for (auto [cells, more] : {std::pair{&from, more_from}, std::pair{&to, more_to}}) {
            cells->gas[i] += more * cells->gas_slope[i];
            cells->brine[i] += more * cells->brine_slope[i];
            cells->dissolved[i] += cells->mass_slope[i] == 0.0 ? more : 0.0;
        }
        driven.drive[i] += more_from * from.capillary_slope[i] - more_to * to.capillary_slope[i];
    }
    return cross(from, to, driven).mass;
}

TEST(ColumnKernels, CrossingHasTheSlopesOfItsDifferences) {
    constexpr std::size_t count = 500;
    constexpr double more = 1e-5;
    const Cells from(count, 1), to(count, 11);
    const Faces faces(count);
    const Crossed found = cross(from, to, faces);
    const auto at = [&](double more_from, double more_to) { return crossed(from, to, faces, more_from, more_to); };
    const Values before_from = at(-more, 0.0), after_from = at(more, 0.0);
    const Values before_to = at(0.0, -more), after_to = at(0.0, more);
    for (std::size_t i = 0; i < count; ++i) {
        const double tolerance = 1e-6 * (1.0 + std::abs(found.by_from[i]) + std::abs(found.by_to[i]));
        EXPECT_NEAR((after_from[i] - before_from[i]) / (2.0 * more), found.by_from[i], tolerance) << i;
        EXPECT_NEAR((after_to[i] - before_to[i]) / (2.0 * more), found.by_to[i], tolerance) << i;
    }
}

TEST(ColumnKernels, CrossingIsTheOppositeFromTheOtherSide) {
    constexpr std::size_t count = 100;
    const Cells one(count, 1), other(count, 11);
    const Faces there(count);
    Faces back = there;
    for (std::size_t i = 0; i < count; ++i) {
        back.volume[i] = -back.volume[i];
        back.drive[i] = -back.drive[i];
    }
    const Values to = crossed(one, other, there, 0.0, 0.0), from = crossed(other, one, back, 0.0, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(to[i], -from[i], 1e-12 * std::abs(to[i]));
    }
}

TEST(ColumnKernels, GasAndBrineThatCrossMakeUpTheFlow) {
    constexpr std::size_t count = 100;
    const Cells from(count, 1), to(count, 11);
    const Faces faces(count);
    const Crossed found = cross(from, to, faces);
    for (std::size_t i = 0; i < count; ++i) {
        const double gas = faces.volume[i] - found.brine[i], mass = found.mass[i] - found.dissolved[i];
        EXPECT_NEAR(
            mass,
            gas * (std::abs(mass - gas * from.density[i]) < std::abs(mass - gas * to.density[i]) ? from.density[i]
                                                                                                 : to.density[i]),
            1e-9 * (1.0 + std::abs(mass)))
            << i;
    }
}

/// FaceTerms in their order.
std::array<Values, 6> flowed(const Cells& from, const Cells& to, const Faces& faces) {
    const std::size_t count = faces.volume.size();
    std::array<Values, 6> terms;
    terms.fill(Values(count));
    column_kernels().flow(
        from.pressed(), to.pressed(), {faces.transmissibility.data(), faces.standing.data(), faces.drive.data()},
        {terms[0].data(), terms[1].data(), terms[2].data(), terms[3].data(), terms[4].data(), terms[5].data()}, count);
    return terms;
}

TEST(ColumnKernels, FlowOfVolumeIsTheSameForBothCellsWhereTheirGasIsAsDense) {
    constexpr std::size_t count = 100;
    Cells one(count, 1), other(count, 11);
    one.density = other.density;
    const Faces faces(count);
    const std::array<Values, 6> terms = flowed(one, other, faces);
    for (std::size_t i = 0; i < count; ++i) {
        const double drop = one.buildup[i] - other.buildup[i] + faces.standing[i];
        const double gas = (drop + faces.drive[i] >= 0.0 ? one : other).gas[i];
        const double brine = (drop >= 0.0 ? one : other).brine[i];
        EXPECT_EQ(terms[0][i], terms[1][i]);
        EXPECT_EQ(terms[0][i], terms[5][i]);
        EXPECT_EQ(terms[2][i], terms[3][i]);
        const double volume = faces.transmissibility[i] * (gas * (drop + faces.drive[i]) + brine * drop);
        EXPECT_NEAR(terms[4][i] + terms[5][i] * (one.buildup[i] - other.buildup[i]), volume,
                    1e-9 * (1.0 + std::abs(volume)));
    }
}

TEST(ColumnKernels, FlowOfVolumeKeepsTheMassOfGas) {
    constexpr std::size_t count = 100;
    Cells one(count, 1), other(count, 11);
    std::ranges::fill(one.brine, 0.0);
    std::ranges::fill(other.brine, 0.0);
    const Faces faces(count);
    const std::array<Values, 6> terms = flowed(one, other, faces);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_DOUBLE_EQ(terms[0][i] * one.density[i], terms[1][i] * other.density[i]);
        EXPECT_DOUBLE_EQ(terms[2][i] * one.density[i], terms[3][i] * other.density[i]);
    }
}

TEST(ColumnKernels, NothingCrossesWhereNothingIsMobile) {
    Cells one(1, 1), other(1, 11);
    one.gas = one.brine = other.gas = other.brine = {0.0};
    const Faces faces(1);
    EXPECT_EQ(crossed(one, other, faces, 0.0, 0.0), Values{0.0});
}

TEST(ColumnKernels, PhasesCrossWithoutFlowOfVolume) {
    const Cells one(2, 1), other(2, 11);  // the second cells hold gas
    Faces faces(2);
    std::ranges::fill(faces.volume, 0.0);
    for (const double drive : {2.0, -2.0}) {
        std::ranges::fill(faces.drive, drive);
        const Cells &up = drive > 0.0 ? one : other, &down = drive > 0.0 ? other : one;
        const double both = up.gas[1] * down.brine[1] / (up.gas[1] + down.brine[1]);
        const double volume = faces.transmissibility[1] * both * drive;
        EXPECT_NEAR(crossed(one, other, faces, 0.0, 0.0)[1], volume * (up.density[1] - down.dissolved[1]),
                    1e-9 * std::abs(volume * up.density[1]));
    }
}

}  // namespace
}  // namespace plumecast::two_phase
