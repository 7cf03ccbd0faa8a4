
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EstimateTest : public ::testing::Test {
   protected:
    ScratchFolder folder_;
    std::string input_ = write_guided_sample(folder_), output_ = folder_.file("fields.h5");
};

TEST_F(EstimateTest, WritesThePhysicsOfEveryCase) {
    ASSERT_TRUE(estimate(input_, output_, {}));
    const Dataset cases(input_), fields(output_);
    EXPECT_THAT(fields.outputs(), ElementsAre("gas_saturation", "pressure_buildup", "dissolved_co2"));
    EXPECT_EQ(fields.attribute("model"), "reduced physics, two phases, 2 substeps, version 4");
    const auto size = static_cast<std::size_t>(fields.cells());
    for (std::int64_t which = 0; which < 3; ++which) {
        const PhysicsFields physics = reduced_physics(radial_case(cases, which), {PhysicsKind::two_phase, 2}, "case");
        for (const std::string& name : fields.outputs()) {
            std::vector<float> found(size * 3);
            fields.read_output(name, {&which, 1}, found);
            const std::vector<float>& expected = physics.fields.at("physics_" + name);
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (i % size < 15) {
                    ASSERT_EQ(found[i], expected[i]) << name << " of case " << which << " at " << i;
                } else {
                    ASSERT_TRUE(std::isnan(found[i])) << "an inactive cell";
                }
            }
        }
    }
}

TEST_F(EstimateTest, WritesThePressureAloneOfASinglePhase) {
    EstimateOptions options;
    options.settings = {PhysicsKind::single_phase, 1};
    ASSERT_TRUE(estimate(input_, output_, options));
    EXPECT_THAT(Dataset(output_).outputs(), ElementsAre("pressure_buildup"));
    EXPECT_EQ(Dataset(output_).attribute("model"), "reduced physics, one phase, 1 substep, version 4");
}

TEST_F(EstimateTest, TellsProgressInOrderAndLeavesNothingWhenStopped) {
    std::vector<std::int64_t> told;
    EstimateOptions options;
    options.threads = 3;
    options.progress = [&](std::int64_t done, std::int64_t all) {
        EXPECT_EQ(all, 3);
        told.push_back(done);
    };
    options.stop_requested = [&] { return told.size() == 2; };
    EXPECT_FALSE(estimate(input_, output_, options));
    EXPECT_THAT(told, ElementsAre(1, 2));
    EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(EstimateTest, NamesTheCasesThatCannotBeComputedAndGoesOn) {
    DatasetContent content = guided_content();
    for (const std::size_t which : {1U, 2U}) {
        content.arrays["injection_rate"][which] = 1000.0F;
        for (std::size_t cell = 0; cell < 15; ++cell) {
            content.arrays["permeability_r"][which * 20 + cell] = 1e-3F;
        }
    }
    write_dataset(input_, content);
    EstimateOptions options;
    options.threads = 3;
    std::vector<std::pair<std::int64_t, std::string>> skipped;
    options.skipped = [&](std::int64_t which, const std::string& why) { skipped.emplace_back(which, why); };
    ASSERT_TRUE(estimate(input_, output_, options)) << "the first case can be computed";
    ASSERT_EQ(skipped.size(), 2U) << "more was injected than tight rock takes";
    for (const std::int64_t which : {1, 2}) {
        const auto& [told, why] = skipped[static_cast<std::size_t>(which - 1)];
        EXPECT_EQ(told, which);
        EXPECT_THAT(why, HasSubstr(input_ + ": case " + std::to_string(which)));
    }
    options.strict = true;
    EXPECT_THROW(estimate(input_, output_, options), NotConverged);
    EXPECT_TRUE(std::filesystem::exists(output_)) << "the cases that can be computed are kept";
}

TEST_F(EstimateTest, TakesOverWhatTheDataSetStatesOfRockAndFluids) {
    DatasetContent content = guided_content();
    content.attributes["initial_brine_temperature"] = "15.56";
    write_dataset(input_, content);
    ASSERT_TRUE(estimate(input_, output_, {}));
    EXPECT_EQ(Dataset(output_).attribute("initial_brine_temperature"), "15.56");
    EXPECT_EQ(Dataset(output_).attribute("entry_pressure"), "");
}

}  // namespace
}  // namespace plumecast::testing
