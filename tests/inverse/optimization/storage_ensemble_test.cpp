#include "inverse/optimization/storage_ensemble.hpp"

#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace plumecast::testing
