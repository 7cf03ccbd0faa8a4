
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class EstimateTest : public ::testing::Test {
   protected:
    ScratchFolder folder_;
    std::string input_ = write_guided_sample(folder_), output_ = folder_.file("fields.h5");
};

TEST_F(EstimateTest, WritesThePhysicsOfEveryCase) {
    ASSERT_TRUE(estimate(input_, output_, {}));
    const Dataset cases(input_), fields(output_);
    EXPECT_THAT(fields.outputs(), ElementsAre("gas_saturation", "pressure_buildup", "dissolved_co2"));
    EXPECT_EQ(fields.attribute("model"), "reduced physics, two phases, 2 substeps, version 7");
    const auto size = static_cast<std::size_t>(fields.cells());
    for (std::int64_t which = 0; which < 3; ++which) {
        const PhysicsFields physics = reduced_physics(radial_case(cases, which), {2}, "case");
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

TEST_F(EstimateTest, WritesThePressureInTheWellOfACylinder) {
    const auto pressures = [&] { return h5::File::open(output_).read<float>("/case/bottom_hole_pressure"); };
    ASSERT_TRUE(estimate(input_, output_, {}));
    const std::vector<float> found = pressures();
    const Dataset cases(input_);
    const auto times = static_cast<std::size_t>(cases.snapshots());
    ASSERT_EQ(found.size(), 3 * times);
    EXPECT_FALSE(h5::File::open(output_).has("/case/injected_mass")) << "which a case without a limit need not state";
    for (std::int64_t which = 0; which < 3; ++which) {
        const PhysicsFields physics = reduced_physics(radial_case(cases, which), {2}, "case");
        const auto begin = found.begin() + which * cases.snapshots();
        EXPECT_EQ(std::vector<float>(begin, begin + cases.snapshots()), physics.bottom_hole_pressure);
        EXPECT_GT(*begin, cases.scalar("initial_pressure")[static_cast<std::size_t>(which)] + 0.1F);
    }
    // A file of physics beside the data set tells them, and one that lacks them is computed anew.
    const PhysicsSettings settings{2};
    ASSERT_TRUE(CasePhysics(cases, settings).store(std::vector<std::int64_t>{0, 1, 2}));
    ASSERT_TRUE(estimate(input_, output_, {}));
    EXPECT_EQ(pressures(), found);
    const std::string path = CasePhysics(cases, settings).path();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Ldelete(file, "/case/bottom_hole_pressure", H5P_DEFAULT), 0);
    ASSERT_GE(H5Fclose(file), 0);
    ASSERT_TRUE(estimate(input_, output_, {}));
    EXPECT_EQ(pressures(), found);
}

TEST_F(EstimateTest, InjectsWhatALimitOfThePressureInTheWellLetsIn) {
    const auto limited = [&](float limit) {
        DatasetContent content = guided_content();
        content.arrays["bottom_hole_pressure_limit"] = {9999.0F, limit, 9999.0F};
        const std::string path = folder_.file("limited.h5");
        write_dataset(path, content);
        EXPECT_EQ(h5::File::open(path).integer("/", "format_version"), 5);
        EstimateOptions options;
        ResultVerdicts verdicts;
        options.before_commit = [&](FieldsWriter& result) { verdicts = judge_result(result, path, {}, {}); };
        EXPECT_TRUE(estimate(path, output_, options));
        return verdicts;
    };
    const auto of_file = [&](const char* array) { return h5::File::open(output_).read<float>(array); };
    limited(9999.0F);
    const std::vector<float> asked = of_file("/case/injected_mass"), free = of_file("/case/bottom_hole_pressure");
    const std::size_t times = asked.size() / 3, last = 2 * times - 1;  // of the second case
    const float top = Dataset(output_).scalar("initial_pressure")[1], limit = 0.5F * (top + free[last]);
    ASSERT_GT(free[last], top + 0.1F);
    const ResultVerdicts verdicts = limited(limit);
    const std::vector<float> injected = of_file("/case/injected_mass");
    EXPECT_LT(injected[last], 0.9F * asked[last]);
    EXPECT_EQ(injected[times - 1], asked[times - 1]);
    EXPECT_NEAR(of_file("/case/bottom_hole_pressure")[last], limit, 1e-3);
    EXPECT_THAT(verdicts.cases[1].reasons, Contains(HasSubstr("rate limited by bottom-hole pressure from day")));
    EXPECT_THAT(verdicts.cases[0].reasons, Not(Contains(HasSubstr("rate limited"))));
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
