#include "inverse/optimization/storage_ensemble.hpp"

#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

StorageConfig rates_above_zero() {
    StorageConfig config;
    config.rate = {0.1, 1.0};
    return config;
}

TEST(StorageEnsemble, KeepsWhatConnectsTheCellsOfACornerPointGrid) {
    DatasetContent content = cartesian_content();  // two cases with wells in the columns 1 and 7
    content.arrays["transmissibility_x"] = content.arrays["permeability_x"];
    content.arrays["transmissibility_y"] = content.arrays["permeability_x"];
    content.arrays["transmissibility_z"] = content.arrays["permeability_x"];
    content.arrays["cell_volume"] = std::vector<float>(24, 2.0F);
    content.arrays["connection_first"] = {1.0F, 5.0F};
    content.arrays["connection_second"] = {14.0F, 0.0F};
    content.arrays["connection_transmissibility"] = {0.5F, 0.25F, 1.5F, 0.75F};
    const MemoryCases cases = views_of(content);
    const StorageEnsemble ensemble(Dataset(cases), {0, 1}, rates_above_zero());
    ASSERT_EQ(ensemble.variables().size(), 2U);
    const std::vector<double> point{0.25, 0.5};
    const DatasetContent planned = ensemble.planned({{&point, 1}, {&point, 0}, {&point, 1}});
    EXPECT_EQ(planned.arrays.at("cell_volume"), content.arrays.at("cell_volume"));
    EXPECT_THAT(planned.arrays.at("connection_first"), ElementsAre(1.0F, 5.0F));
    EXPECT_THAT(planned.arrays.at("connection_transmissibility"), ElementsAre(1.5F, 0.75F, 0.5F, 0.25F, 1.5F, 0.75F));
    EXPECT_EQ(planned.arrays.at("transmissibility_x").size(), 3U * 24U);
    EXPECT_THAT(planned.arrays.at("injection_rate"), ElementsAre(0.75F, 0.75F, 0.75F));
}

TEST(StorageEnsemble, RefusesSaturationTables) {
    DatasetContent content = cartesian_content();
    content.arrays["saturation_region"] = content.arrays.at("active");
    const MemoryCases cases = views_of(content);
    try {
        StorageEnsemble(Dataset(cases), {0}, rates_above_zero());
        ADD_FAILURE() << "taken";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("has saturation tables"));
    }
}

/// The message of what making an ensemble of the sample throws.
std::string refusal(const StorageConfig& config) {
    const DatasetContent content = cartesian_content();
    try {
        StorageEnsemble(Dataset(views_of(content)), {0, 1}, config);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(StorageEnsemble, PutsWellsAtPlacesOfAList) {
    DatasetContent content = cartesian_content();  // the wells of both cases open one layer each
    content.arrays["well_connection_factor"] = std::vector<float>(48, 7.0F);
    StorageConfig config = rates_above_zero();
    config.well_places = {{500.0, 20.0}, {-50.0, 60.0}, {50.0, 20.0}};  // in the columns 3, 4 and 1
    const MemoryCases cases = views_of(content);
    const StorageEnsemble ensemble(Dataset(cases), {0, 1}, config);
    EXPECT_THAT(ensemble.placements(), ElementsAre(ElementsAre(2, 0), ElementsAre(2, 1), ElementsAre(0, 1)));
    const std::vector<double> point{0.25, 0.5};
    const DatasetContent planned = ensemble.planned({{&point, 1, 2}});
    EXPECT_EQ(planned.arrays.at("well_connection_factor"), std::vector<float>(24, 0.0F));  // Peaceman's
    const std::vector<float>&rates = planned.arrays.at("cell_injection_rate"), &open = planned.arrays.at("perforation"),
          &x = content.arrays.at("permeability_x"), &y = content.arrays.at("permeability_y");
    ASSERT_EQ(rates.size(), 24U);
    for (const auto& [column, rate] : {std::pair{3U, 0.25}, {4U, 0.5}}) {
        const double upper = 5.0 * std::sqrt(static_cast<double>(x[24 + column] * y[24 + column])),
                     lower = 10.0 * std::sqrt(static_cast<double>(x[36 + column] * y[36 + column]));
        EXPECT_NEAR(static_cast<double>(rates[column]), rate * upper / (upper + lower), 1e-6);
        EXPECT_NEAR(static_cast<double>(rates[12 + column]), rate * lower / (upper + lower), 1e-6);
    }
    EXPECT_EQ(std::accumulate(open.begin(), open.end(), 0.0F), 4.0F);
    EXPECT_EQ(open[3] + open[15] + open[4] + open[16], 4.0F);
    EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0), 0.75, 1e-6);
}

TEST(StorageEnsemble, KeepsAWellThatStaysAmongPlaces) {
    DatasetContent content = cartesian_content();  // wells in the columns 1 and 7
    content.arrays["well_connection_factor"] = std::vector<float>(48, 7.0F);
    content.arrays["perforation"][2] = 1.0F;  // of a column without a rate, which is no well
    StorageConfig config = rates_above_zero();
    config.ends = {100.0, 365.0};
    config.well_places = {{500.0, 75.0}, {500.0, 20.0}};  // in the columns 7 and 3
    const MemoryCases cases = views_of(content);
    const StorageEnsemble ensemble(Dataset(cases), {0}, config);
    const std::vector<double> point{0.25, 0.5, 1.0, 0.0};  // two periods of the well in column 3, then of that in 7
    const DatasetContent planned = ensemble.planned({{&point, 0, 0}});
    EXPECT_THAT(planned.arrays.at("schedule_rate"), ElementsAre(0.25F, 0.5F, 1.0F, 0.0F));
    const std::vector<float>&rates = planned.arrays.at("cell_injection_rate"), &open = planned.arrays.at("perforation"),
          &factors = planned.arrays.at("well_connection_factor");
    EXPECT_EQ(rates[7], 0.0F);  // it has the layer of its own, and the other one both
    EXPECT_NEAR(static_cast<double>(rates[19]), 100.0 / 365.0, 1e-6);
    EXPECT_EQ(open[7] + open[2], 0.0F);
    EXPECT_EQ(open[19] + open[3] + open[15], 3.0F);
    EXPECT_EQ(factors[19], 7.0F);
    EXPECT_EQ(factors[3], 0.0F);
    const std::vector<double> stopped{0.25, 0.0, 1.0, 0.0};
    const std::vector<float> means = ensemble.planned({{&stopped, 0, 0}}).arrays.at("cell_injection_rate");
    EXPECT_NEAR(std::accumulate(means.begin(), means.end(), 0.0), 1.25, 1e-6) << "over the injection, of 100 days";
}

TEST(StorageEnsemble, FindsTheColumnsAndAreasOfLimits) {
    StorageConfig config = rates_above_zero();
    ScratchFolder folder;
    std::ofstream(folder.file("area.csv")) << "-1000,0\n0,0\n0,1000\n-1000,1000\n";
    config.limits = {{.figure = "pressure_buildup", .at_most = 1.0, .x = 150.0, .y = 75.0},
                     {.figure = "mass_outside", .at_most = 1.0, .polygon = folder.file("area.csv")}};
    const DatasetContent content = cartesian_content();
    const StorageEnsemble ensemble(Dataset(views_of(content)), {0}, config);
    EXPECT_EQ(ensemble.limit_places().at(0).column, 6U);
    EXPECT_THAT(ensemble.limit_places()[0].inside, IsEmpty());
    EXPECT_THAT(ensemble.limit_places().at(1).inside,
                Pointwise(DoubleNear(1e-12), std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    config.limits[0].y = 150.0;
    EXPECT_THAT(refusal(config),
                HasSubstr("pressure_buildup at x 150 m, y 150 m at most 1: case 0 has no active cell"));
    config.limits = {{.figure = "mass_outside", .at_most = 1.0, .polygon = folder.file("far.csv")}};
    std::ofstream(folder.file("far.csv")) << "5000,0\n6000,0\n6000,1000\n";
    const DatasetContent sample = cartesian_content();
    EXPECT_THROW(StorageEnsemble(Dataset(views_of(sample)), {0}, config), InvalidData);
    config.limits = {{.figure = "pressure_buildup", .at_most = 1.0, .x = 150.0, .y = 1500.0}};
    EXPECT_THAT(refusal(config), HasSubstr("lies outside of the grid"));
}

}  // namespace
}  // namespace plumecast::testing
