#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "training/rank_plan.hpp"

#include "support/backends.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

std::vector<double> losses(const StopAfter& observer) {
    std::vector<double> all;
    for (const EpochReport& epoch : observer.epochs()) {
        all.push_back(epoch.train_loss);
    }
    return all;
}

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Bfloat16Run : public BackendTest {
   protected:
    /// Forty steps, a few of them before the first epoch ends.
    Recipe recipe(const std::string& output) {
        Recipe recipe = tiny_recipe(folder_, "ufno");
        recipe.epochs = 20;
        recipe.output = folder_.file(output);
        return recipe;
    }

    ScratchFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Backends, Bfloat16Run, ::testing::ValuesIn(bfloat16_backends()), choice_name);

TEST_P(Bfloat16Run, LosesWhatFloat32LosesOverFortySteps) {
    const std::vector<double> expected = losses(trained(recipe("float32")));
    StopAfter observer;
    Recipe narrow = recipe("bfloat16");
    narrow.precision = Precision::bf16;
    Trainer trainer(narrow, backend(), observer);
    ASSERT_EQ(trainer.run(), TrainingOutcome::finished);
    const std::vector<double> found = losses(observer);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_LT(expected.back(), 0.9 * expected.front());
    for (std::size_t epoch = 0; epoch < found.size(); ++epoch) {
        EXPECT_NEAR(found[epoch] / expected[epoch], 1.0, 0.02) << "epoch " << epoch + 1;
    }
    EXPECT_THAT(text_of(narrow.output + "/best/model.json"), HasSubstr("\"bf16\""));
}

TEST_P(Bfloat16Run, ContinuesInFloat32AndBack) {
    Recipe narrow = recipe("both");
    narrow.precision = Precision::bf16;
    Recipe wide = narrow;
    wide.precision = Precision::fp32;
    const auto exact = make_cpu_backend({.threads = 1});
    for (int part = 0; part < 3; ++part) {
        const bool is_narrow = part % 2 == 0;
        StopAfter observer(5);
        Trainer trainer(is_narrow ? narrow : wide, is_narrow ? backend() : *exact, observer);
        if (part > 0) {
            trainer.resume();
        }
        ASSERT_EQ(trainer.run(), TrainingOutcome::interrupted);
        EXPECT_THAT(text_of(narrow.output + "/checkpoint/state.json"),
                    HasSubstr(is_narrow ? "\"precision\": \"bf16\"" : "\"precision\": \"fp32\""));
        for (const Parameter& parameter : trainer.network().parameters().all()) {
            EXPECT_EQ(trainer.network().parameters().download(parameter).type(), DType::float32) << parameter.name;
        }
    }
}

TEST_P(Bfloat16Run, UsesNoMoreMemoryThanPlanned) {
    Recipe narrow = recipe("planned");
    narrow.epochs = 1;
    backend().reset_peak_bytes();
    StopAfter observer;
    Trainer trainer(narrow, backend(), observer);
    trainer.run();
    const auto planned = [&](Precision precision) {
        const PlanOptions options{.precision = precision, .threads = backend().host_threads()};
        return plan_rank(narrow.network, {4, 5, 3}, narrow.batch_size, {}, options).memory;
    };
    const MemoryPlan wide = planned(Precision::fp32), plan = planned(Precision::bf16);
    EXPECT_EQ(observer.plan().training, plan.training);
    EXPECT_EQ(plan.weights, wide.weights);
    EXPECT_LT(plan.training, wide.training);
    EXPECT_LT(plan.inference, wide.inference);
}

}  // namespace
}  // namespace plumecast::testing
