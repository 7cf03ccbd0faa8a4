#include "reservoir/case_physics/step_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

class StepControlTest : public ::testing::Test {
   protected:
    ControlledCase controlled(int substeps, double tolerance, std::int64_t which = 0) const {
        const Dataset cases(input_);
        StepControl control(cases, {substeps}, tolerance, true, {});
        return control.of(which);
    }

    ScratchFolder folder_;
    std::string input_ = write_guided_sample(folder_);
};

TEST_F(StepControlTest, TakesTheStepsOfTheSettingsWithoutATolerance) {
    const ControlledCase found = controlled(3, StepControl::any_change);
    EXPECT_EQ(found.substeps, 3);
    EXPECT_GT(found.change, 0.0);
    EXPECT_FALSE(found.has_failed);
}

TEST_F(StepControlTest, TakesMoreStepsUntilHalfAsManyChangeLittle) {
    const double of_one = controlled(1, StepControl::any_change).change;
    const ControlledCase within = controlled(1, of_one), more = controlled(1, 0.4 * of_one);
    EXPECT_EQ(within.substeps, 1);
    EXPECT_EQ(within.change, 2.0 * std::max(within.errors.step_change, within.errors.buildup_change))
        << "one step has twice the error of the two that it is compared with";
    ASSERT_GT(more.substeps, 1);
    const ControlledCase fixed = controlled(more.substeps, StepControl::any_change);
    EXPECT_LE(more.change, 0.4 * of_one);
    EXPECT_EQ(fixed.change, std::max(fixed.errors.step_change, fixed.errors.buildup_change));
    EXPECT_EQ(more.change, fixed.change) << "as if so many had been asked for";
    EXPECT_EQ(more.computed.physics->fields, fixed.computed.physics->fields);
    EXPECT_EQ(more.errors.substeps, more.substeps) << "what verdicts go by";
}

TEST_F(StepControlTest, EndsAtTheMostStepsThoughTheyStillChangeMore) {
    const ControlledCase found = controlled(2, 1e-12);
    EXPECT_EQ(found.substeps, 2 * StepControl::most_times);
    EXPECT_GT(found.change, 1e-12);
}

TEST_F(StepControlTest, TriesMoreStepsWhereACaseCannotBeComputedAndThenSaysWhy) {
    DatasetContent content = guided_content();
    content.arrays["injection_rate"][1] = 1000.0F;
    std::fill_n(content.arrays["permeability_r"].begin() + 20, 15, 1e-3F);
    write_dataset(input_, content);
    const Dataset cases(input_);
    StepControl control(cases, {2}, 0.01, false, {});
    const ControlledCase failed = control.of(1);
    EXPECT_TRUE(failed.has_failed);
    EXPECT_EQ(failed.substeps, 2 * StepControl::most_times);
    ASSERT_TRUE(control.failures().has(1));
    EXPECT_NE(control.failures().all().at(1).find(input_ + ": case 1"), std::string::npos);
    EXPECT_FALSE(control.of(0).has_failed);
    EXPECT_FALSE(control.failures().has(0));
}

TEST_F(StepControlTest, EstimatesToAToleranceSayHowManyStepsEachCaseTook) {
    const std::string output = folder_.file("fields.h5");
    EstimateOptions options;
    options.settings.substeps = 1;
    options.tolerance = 0.4 * controlled(1, StepControl::any_change).change;
    std::vector<float> told;
    options.steps = [&](std::int64_t, int substeps, double change) {
        told.push_back(static_cast<float>(substeps));
        EXPECT_LE(change, *options.tolerance);
    };
    ASSERT_TRUE(estimate(input_, output, options));
    EXPECT_EQ(h5::File::open(output).read<float>("/case/substeps"), told);
    EXPECT_GT(told.front(), 1.0F);
    const std::string model = Dataset(output).attribute("model");
    EXPECT_EQ(model.find("reduced physics, two phases, 1 or more substeps to a tolerance of 0."), 0U) << model;
}

}  // namespace
}  // namespace plumecast::testing
