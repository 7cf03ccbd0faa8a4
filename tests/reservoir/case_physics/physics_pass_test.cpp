#include "reservoir/case_physics/physics_pass.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "reservoir/physics/compute_physics.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PhysicsPassTest : public ::testing::Test {
   protected:
    PhysicsPassTest() {
        DatasetContent content = guided_content();
        content.arrays["injection_rate"][1] = 0.0F;
        content.arrays["injection_rate"][2] = 1000.0F;  // more than tight rock takes
        std::fill_n(content.arrays["permeability_r"].begin() + 40, 15, 1e-3F);
        write_dataset(folder_.file("cases.h5"), content);
    }

    ScratchFolder folder_;
    const PhysicsSettings settings_{2};
};

TEST_F(PhysicsPassTest, GivesTheFieldsOfThePhysicsWithTimesLast) {
    const Dataset dataset(folder_.file("cases.h5"));
    PhysicsPass pass(dataset, settings_, {});
    EXPECT_THAT(pass.fields(), ElementsAre("gas_saturation", "pressure_buildup", "dissolved_co2"));
    const PhysicsCase computed = pass.of(0);
    const PhysicsFields expected = reduced_physics(radial_case(dataset, 0), settings_, "case");
    for (const std::string& field : pass.fields()) {
        const std::vector<float> values = pass.values(computed, field);
        const std::vector<float>& stored = expected.fields.at("physics_" + field);
        ASSERT_EQ(values.size(), stored.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_EQ(values[i], stored[i % 3 * 20 + i / 3]) << field << " at " << i;
        }
    }
    EXPECT_EQ(std::ranges::count(computed.active, 1.0F), 15);
    EXPECT_TRUE(pass.failures().all().empty());
}

TEST_F(PhysicsPassTest, MovesNothingWhereNothingIsInjected) {
    const Dataset dataset(folder_.file("cases.h5"));
    PhysicsPass pass(dataset, settings_, {});
    const PhysicsCase still = pass.of(1);
    EXPECT_EQ(still.physics, nullptr);
    const std::vector<float> values = pass.values(still, "pressure_buildup");
    EXPECT_EQ(values.size(), 60U);
    EXPECT_THAT(values, Each(0.0F));
    EXPECT_FALSE(pass.failures().has(1));
}

TEST_F(PhysicsPassTest, NotesWhyACaseHasNoValues) {
    const Dataset dataset(folder_.file("cases.h5"));
    PhysicsPass pass(dataset, settings_, {});
    const std::vector<float> values = pass.values(pass.of(2), "gas_saturation");
    EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isnan(value); }));
    ASSERT_TRUE(pass.failures().has(2));
    EXPECT_THAT(pass.failures().all().at(2), HasSubstr("cases.h5: case 2"));
}

}  // namespace
}  // namespace plumecast::testing
