#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/generation/finished_case.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "reservoir/simulation/box_sample.hpp"
#include "reservoir/simulation/deck.hpp"

namespace plumecast::testing {
namespace {

TEST(SampleCase, PlacesWellsApartAndAwayFromTheSides) {
    GeneratorConfiguration configuration = GeneratorConfiguration::cartesian();
    configuration.wells.count = {1, 4};
    std::set<std::size_t> counts;
    for (std::int64_t number = 0; number < 40; ++number) {
        const SampledCase sampled = sample_case(configuration, number);
        counts.insert(sampled.wells.size());
        double rate = 0.0;
        for (std::size_t i = 0; i < sampled.wells.size(); ++i) {
            const SampledWell& well = sampled.wells[i];
            EXPECT_GE(std::min({well.x, well.y, 10000.0 - well.x, 10000.0 - well.y}), 2000.0);
            EXPECT_LE(well.perforation_top + well.perforation_length, sampled.thickness + 1e-9);
            EXPECT_GE(well.injection_rate, 0.2);
            EXPECT_LE(well.injection_rate, 1.0);
            rate += well.injection_rate;
            for (std::size_t j = 0; j < i; ++j) {
                EXPECT_GE(std::hypot(well.x - sampled.wells[j].x, well.y - sampled.wells[j].y), 1500.0);
            }
        }
        EXPECT_DOUBLE_EQ(sampled.injection_rate, rate);
    }
    EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3, 4}));
}

TEST(SampleCase, LeavesOutWellsThatFindNoPlace) {
    GeneratorConfiguration configuration = GeneratorConfiguration::cartesian();
    configuration.wells.count = {9, 9};
    configuration.wells.least_distance = 5000.0;
    const std::size_t wells = sample_case(configuration, 0).wells.size();
    EXPECT_GE(wells, 1U);
    EXPECT_LT(wells, 9U);
}

TEST(BoxReservoir, DependsOnSeedAndNumberAlone) {
    const GeneratorConfiguration configuration = box_configuration();
    const BoxGrid grid = box_grid(*configuration.box);
    const BoxReservoir once = draw_box(configuration, grid, 3, 100.0), again = draw_box(configuration, grid, 3, 100.0);
    EXPECT_EQ(once.rock.permeability_r, again.rock.permeability_r);
    EXPECT_NE(once.rock.permeability_r, draw_box(configuration, grid, 4, 100.0).rock.permeability_r);
}

TEST(BoxReservoir, DrawsTheSameFieldOnAFinerGrid) {
    GeneratorConfiguration configuration = box_configuration();
    configuration.permeability.shares = {1.0, 0.0, 0.0, 0.0, 0.0};
    const BoxReservoir coarse = draw_box(configuration, box_grid(*configuration.box), 0, 100.0);
    configuration.box->columns *= 3;  // every third centre is one of the coarse grid
    const BoxReservoir fine = draw_box(configuration, box_grid(*configuration.box), 0, 100.0);
    for (std::size_t cell = 0; cell < coarse.rock.permeability_r.size(); ++cell) {
        EXPECT_NEAR(fine.rock.permeability_r[3 * cell + 1] / coarse.rock.permeability_r[cell], 1.0, 1e-9);
    }
}

TEST(BoxReservoir, JoinsWellsOfOneColumn) {
    GeneratorConfiguration configuration = box_configuration();
    configuration.wells.count = {4, 4};
    configuration.wells.least_distance = 0.0;
    configuration.box->lines = configuration.box->columns = 1;
    const BoxReservoir reservoir = draw_box(configuration, box_grid(*configuration.box), 1, 100.0);
    ASSERT_EQ(reservoir.wells.size(), 1U);
    EXPECT_DOUBLE_EQ(reservoir.wells[0].injection_rate, reservoir.inputs.injection_rate);
}

/// Until the last well stops.
double injecting_years(const BoxReservoir& reservoir) {
    double years = 0.0;
    for (std::size_t period = 0; period < reservoir.inputs.schedule_ends.size(); ++period) {
        years = reservoir.inputs.schedule_rates[period] > 0.0 ? reservoir.inputs.schedule_ends[period] / 365.25 : years;
    }
    return years;
}

TEST(BoxReservoir, SharesTheRateOfAWellByPermeabilityAndHeight) {
    BoxReservoir reservoir = sample_box();
    BoxWell& well = reservoir.wells[0];
    well.perforation.assign(reservoir.active_rows, 0.0);
    well.perforation[0] = 0.5;
    well.perforation[2] = 1.0;
    reservoir.rock.permeability_r[reservoir.cell(0, well)] = 400.0;
    reservoir.rock.permeability_r[reservoir.cell(2, well)] = 50.0;
    EXPECT_THAT(reservoir.shares(well),
                ::testing::ElementsAre(::testing::DoubleEq(0.8), 0.0, ::testing::DoubleEq(0.2)));
}

TEST(BoxReservoir, EstimatesMoreBuildupForTighterRockAndHigherRates) {
    BoxReservoir reservoir = sample_box();
    const double before = estimated_buildup(reservoir, 365.0);
    EXPECT_GT(before, 0.0);
    for (double& k : reservoir.rock.permeability_r) {
        k *= 0.1;
    }
    EXPECT_NEAR(estimated_buildup(reservoir, 365.0), 10.0 * before, 1e-9 * before);
    for (BoxWell& well : reservoir.wells) {
        well.injection_rate *= 1.5;
    }
    EXPECT_GT(estimated_buildup(reservoir, 365.0), 10.0 * before);
}

TEST(BoxReservoir, GivesArraysOfTheFormat) {
    const BoxReservoir reservoir = sample_box();
    FlowResults results;
    const std::size_t active = reservoir.rock.porosity.size();
    results.initial_pressure.assign(active, 100.0);
    Snapshot snapshot;
    snapshot.pressure.assign(active, 104.0);
    snapshot.gas_saturation.assign(active, 0.25);
    snapshot.dissolved_ratio.assign(active, 20.0);
    snapshot.inverse_brine_volume.assign(active, 1.0);
    results.snapshots.push_back(snapshot);
    const FinishedCase finished = finished_case(reservoir, results, 23);
    const std::vector<float>& rate = finished.arrays.at("cell_injection_rate");
    ASSERT_EQ(rate.size(), reservoir.grid.cells());
    EXPECT_NEAR(std::accumulate(rate.begin(), rate.end(), 0.0), reservoir.inputs.injection_rate, 1e-6);
    EXPECT_EQ(finished.arrays.at("pressure_buildup")[active - 1], 4.0F);
    EXPECT_NEAR(finished.arrays.at("dissolved_co2")[0], 20.0 * surface_density * 0.75, 1e-3);
    EXPECT_EQ(finished.arrays.at("gas_saturation")[active], 0.0F) << "below the formation";
    EXPECT_EQ(finished.arrays.at("active")[active], 0.0F);
}

TEST(BoxReservoir, GivesTheRatesOfWellsInTheOrderOfTheirColumns) {
    GeneratorConfiguration configuration = box_configuration();
    configuration.wells.count = {1, 4};
    configuration.inputs.schedule.shares = {0.0, 1.0, 0.0, 0.0};
    configuration.inputs.schedule.stop = {1.0, 2.0};
    bool has_fewer = false;
    for (int number = 0; number < 8; ++number) {
        const BoxReservoir reservoir = draw_box(configuration, box_grid(*configuration.box), number, 3.0 * 365.25);
        const FinishedCase drawn = drawn_case(reservoir);
        const std::vector<float>& rates = drawn.arrays.at("schedule_rate");
        const std::size_t periods = reservoir.inputs.schedule_ends.size();
        ASSERT_EQ(rates.size(), 4 * periods);
        const std::vector<float>& means = drawn.arrays.at("cell_injection_rate");
        std::size_t known = 0;
        for (std::size_t column = 0; column < reservoir.plane(); ++column) {
            double mean = 0.0, drawn_rate = 0.0;
            for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
                mean += static_cast<double>(means[row * reservoir.plane() + column]);
            }
            if (mean == 0.0) {
                continue;
            }
            for (std::size_t period = 0; period < periods; ++period) {
                const double days = reservoir.inputs.schedule_ends[period] -
                                    (period > 0 ? reservoir.inputs.schedule_ends[period - 1] : 0.0);
                drawn_rate += static_cast<double>(rates[known * periods + period]) * days;
            }
            const double end = 365.25 * injecting_years(reservoir);
            EXPECT_NEAR(mean, drawn_rate / end, 1e-5) << number << " well " << known;
            ++known;
        }
        EXPECT_EQ(known, reservoir.wells.size());
        has_fewer = has_fewer || known < 4;
        EXPECT_TRUE(std::all_of(rates.begin() + static_cast<std::ptrdiff_t>(known * periods), rates.end(),
                                [](float rate) { return rate == 0.0F; }));
    }
    EXPECT_TRUE(has_fewer);
}

}  // namespace
}  // namespace plumecast::testing
