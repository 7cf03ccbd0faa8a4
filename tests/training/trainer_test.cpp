#include <plumecast/training/trainer.hpp>

#include <gmock/gmock.h>

#include <filesystem>

#include "support/comparison.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class TrainerTest : public ::testing::Test {
   protected:
    ScratchFolder folder_;
};

TEST_F(TrainerTest, ResumesBitForBitFromAnyInterruption) {
    Recipe straight = tiny_recipe(folder_, "ufno");
    straight.epochs = 2;
    straight.schedule.kind = ScheduleOptions::Kind::plateau;
    straight.schedule.patience = 1;
    straight.output = folder_.file("straight");
    trained(straight);
    // An epoch asks twice in training and twice in validation.
    for (const std::vector<int>& questions : {std::vector<int>{1, 5}, {1, 1, 4}, {2, 3, 5}, {3, 4, 6}}) {
        Recipe interrupted = straight;
        interrupted.output = folder_.file("in parts");
        std::filesystem::remove_all(interrupted.output);
        train_with_interruptions(interrupted, questions);
        expect_same_run(straight.output, interrupted.output);
    }
}

TEST_F(TrainerTest, RepeatsItselfBitForBit) {
    Recipe first = tiny_recipe(folder_), second = first;
    second.output = folder_.file("again");
    trained(first);
    trained(second);
    expect_same_run(first.output, second.output);
}

TEST_F(TrainerTest, GoesOnForMoreEpochs) {
    Recipe straight = tiny_recipe(folder_, "fno"), parts = straight;
    trained(straight);
    parts.output = folder_.file("parts");
    parts.epochs = 1;
    trained(parts);
    parts.epochs = 3;
    train_with_interruptions(parts, {1 << 30});
    expect_same_run(straight.output, parts.output);
}

TEST_F(TrainerTest, Learns) {
    Recipe recipe = tiny_recipe(folder_, "fno");
    recipe.epochs = 15;
    recipe.schedule.learning_rate = 1e-2;
    const StopAfter heard = trained(recipe);
    ASSERT_EQ(heard.epochs().size(), 15u);
    EXPECT_LT(heard.epochs().back().train_loss, 0.5 * heard.epochs().front().train_loss);
    EXPECT_LT(*heard.epochs().back().validation_loss, 0.5 * *heard.epochs().front().validation_loss);
}

TEST_F(TrainerTest, TellsMemoryProgressAndEpochs) {
    const StopAfter heard = trained(tiny_recipe(folder_, "fno"));
    EXPECT_GT(heard.plan().training, heard.plan().weights);
    ASSERT_EQ(heard.progress().size(), 6u);
    const TrainingProgress last = heard.progress().back();
    EXPECT_EQ(last.epoch, 3);
    EXPECT_EQ(last.epochs, 3);
    EXPECT_EQ(last.cases_done, 3);
    EXPECT_EQ(last.cases, 3);
    EXPECT_GT(last.cases_per_second, 0.0);
    EXPECT_NEAR(last.seconds_left, 0.0, 1e-9);
    EXPECT_GT(heard.progress().front().seconds_left, 0.0);
    ASSERT_EQ(heard.epochs().size(), 3u);
    EXPECT_TRUE(heard.epochs().front().best);
    ASSERT_EQ(heard.epochs().front().fields.size(), 1u);
    EXPECT_EQ(heard.epochs().front().fields[0].field, "gas_saturation");
}

TEST_F(TrainerTest, WritesItsRecipeAndOneLineOfMetricsPerEpoch) {
    const Recipe recipe = tiny_recipe(folder_, "fno");
    trained(recipe);
    EXPECT_EQ(Recipe::from_file(recipe.output + "/recipe.json"), recipe);
    const std::string csv = bytes_of(recipe.output + "/metrics.csv"), json = bytes_of(recipe.output + "/metrics.jsonl");
    EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
    EXPECT_EQ(std::ranges::count(json, '\n'), 3);
}

TEST_F(TrainerTest, NamesNoFolderInAModel) {
    const Recipe recipe = tiny_recipe(folder_, "fno");
    trained(recipe);
    const std::string model = bytes_of(recipe.output + "/best/model.json");
    EXPECT_NE(model.find("\"sample.h5\""), std::string::npos);
    EXPECT_EQ(model.find(std::filesystem::path(recipe.train_files.front()).parent_path().string()), std::string::npos);
}

TEST_F(TrainerTest, WorksWithoutValidationAndWithFewerCases) {
    Recipe recipe = tiny_recipe(folder_, "conv_fno");
    recipe.validation_files.clear();
    recipe.train_cases = 2;
    const StopAfter heard = trained(recipe);
    EXPECT_FALSE(heard.epochs().front().validation_loss.has_value());
    EXPECT_TRUE(heard.epochs().front().best);
    EXPECT_EQ(heard.progress().size(), 3u);
}

TEST_F(TrainerTest, StopsEarlyAndStaysSo) {
    Recipe recipe = tiny_recipe(folder_, "fno");
    recipe.epochs = 50;
    recipe.early_stopping = {2, 1e9};  // nothing is ever enough of a gain
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    Trainer trainer(recipe, *backend, observer);
    EXPECT_EQ(trainer.run(), TrainingOutcome::stopped_early);
    EXPECT_EQ(observer.epochs().size(), 3u);
    StopAfter later;
    Trainer again(recipe, *backend, later);
    again.resume();
    EXPECT_EQ(again.run(), TrainingOutcome::stopped_early);
    EXPECT_TRUE(later.epochs().empty());
}

TEST_F(TrainerTest, RefusesToResumeAnotherRecipe) {
    const Recipe recipe = tiny_recipe(folder_, "fno");
    trained(recipe);
    const auto message = [](const Recipe& other) {
        const auto backend = make_cpu_backend({.threads = 1});
        StopAfter observer;
        Trainer trainer(other, *backend, observer);
        try {
            trainer.resume();
        } catch (const InvalidModel& error) {
            return std::string(error.what());
        }
        return std::string("resumed");
    };
    Recipe other = recipe;
    other.optimizer.weight_decay = 0.5;
    EXPECT_THAT(message(other), HasSubstr("belongs to another recipe"));
    other = recipe;
    other.network.network.width = 5;
    EXPECT_THAT(message(other), HasSubstr("belongs to another recipe"));
    other = recipe;
    other.epochs = 10;
    other.threads = 2;
    other.checkpoint_minutes = 1.0;
    other.precision = Precision::bf16;
    other.early_stopping.patience = 4;
    other.recompute_blocks = 1;
    EXPECT_EQ(message(other), "resumed");
}

TEST_F(TrainerTest, RefusesToResumeWithoutACheckpoint) {
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    Trainer trainer(tiny_recipe(folder_), *backend, observer);
    EXPECT_FALSE(trainer.has_checkpoint());
    EXPECT_THROW(trainer.resume(), InvalidModel);
}

TEST_F(TrainerTest, RefusesADamagedCheckpoint) {
    const Recipe recipe = tiny_recipe(folder_, "fno");
    trained(recipe);
    for (const char* file : {"state.json", "optimizer.safetensors", "gas_saturation.safetensors"}) {
        const std::string path = recipe.output + "/checkpoint/" + file, whole = bytes_of(path);
        write_bytes(path, whole.substr(0, whole.size() / 2));
        const auto backend = make_cpu_backend({.threads = 1});
        StopAfter observer;
        Trainer trainer(recipe, *backend, observer);
        EXPECT_THROW(trainer.resume(), InvalidModel) << file;
        write_bytes(path, whole);
    }
}

TEST_F(TrainerTest, NamesADivergingLoss) {
    Recipe recipe = tiny_recipe(folder_, "fno");
    recipe.schedule.learning_rate = 1e30;
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    Trainer trainer(recipe, *backend, observer);
    try {
        trainer.run();
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("training diverged"));
        EXPECT_THAT(error.what(), HasSubstr("lower schedule.learning_rate"));
    }
}

TEST_F(TrainerTest, RefusesDataWithoutOutputs) {
    Recipe recipe = tiny_recipe(folder_, "fno");
    DatasetContent content = sample_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    write_dataset(folder_.file("inputs.h5"), content);
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    recipe.train_files = {folder_.file("inputs.h5")};
    EXPECT_THROW(Trainer(recipe, *backend, observer), InvalidData);
    recipe = tiny_recipe(folder_, "fno");
    recipe.validation_files = {folder_.file("inputs.h5")};
    EXPECT_THROW(Trainer(recipe, *backend, observer), InvalidData);
}

}  // namespace
}  // namespace plumecast::testing
