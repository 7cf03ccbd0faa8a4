#include "inverse/inversion/realizations.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(Realizations, RefuseUnknownPermeabilitiesBesideStatedConnectionFactors) {
    DatasetContent known = cartesian_content(), prior = known;
    for (auto& [name, values] : prior.arrays) {
        const std::vector<float> both = values;
        for (int more = 0; more < 4; ++more) {  // ten cases
            values.insert(values.end(), both.begin(), both.end());
        }
    }
    known.arrays["well_connection_factor"].assign(known.arrays.at("active").size(), 0.0F);
    const auto taken = [&](const std::string& unknown) {
        return Realizations(Dataset(views_of(known)), 0, Dataset(views_of(prior)), {unknown}, 0).members();
    };
    EXPECT_EQ(taken("permeability_x"), 10) << "Peaceman's factors follow from the permeability";
    known.arrays["well_connection_factor"][1] = 40.0F;
    EXPECT_EQ(taken("permeability_z"), 10);
    try {
        taken("permeability_x");
        ADD_FAILURE() << "taken";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("states /inputs/well_connection_factor"));
    }
}

}  // namespace
}  // namespace plumecast::testing
