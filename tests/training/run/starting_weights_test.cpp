#include "training/run/starting_weights.hpp"
#include "training/records/run_history.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <plumecast/inference/bundle.hpp>

#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

class StartingWeightsTest : public ::testing::Test {
   protected:
    /// A run of one epoch to start from.
    Recipe first(const std::string& architecture = "ufno") const {
        Recipe recipe = tiny_recipe(folder_, architecture);
        recipe.output = folder_.file("first");
        recipe.epochs = 1;
        return recipe;
    }
    /// A run that goes on from there.
    Recipe next(const std::string& architecture = "ufno") const {
        Recipe recipe = tiny_recipe(folder_, architecture);
        recipe.output = folder_.file("next");
        recipe.weights = folder_.file("first/best");
        recipe.epochs = 2;
        recipe.seed = 99;
        return recipe;
    }
    ScratchFolder folder_;
};

TEST_F(StartingWeightsTest, GivesTheModelsWeightsAndStatisticsToTheBit) {
    const Recipe recipe = first();
    trained(recipe);
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network = network_of(next(), *backend, nullptr);
    start_from(recipe.output + "/best", network, nullptr, nullptr);
    for (const auto& [name, values] : weights_in(recipe.output + "/best")) {
        const Tensor own = network.parameters().download(network.parameters().at(name));
        EXPECT_TRUE(std::ranges::equal(own.values<float>(), values)) << name;
    }
}

TEST_F(StartingWeightsTest, SaysWhatARunStartsFromAndHowGoodThatIs) {
    const StopAfter before = trained(first());
    const StopAfter after = trained(next());
    EXPECT_THAT(after.messages(), Contains(AllOf(HasSubstr("starting from the weights of"), HasSubstr("first/best"))));
    const std::string loss = fmt::format("validation {:.4f}", *before.epochs().front().validation_loss);
    EXPECT_THAT(after.messages(), Contains(AllOf(HasSubstr("before the first step"), HasSubstr(loss))));
    const EpochReport& start = after.epochs().front();
    EXPECT_EQ(start.epoch, 0);
    EXPECT_TRUE(start.best) << "the best epoch is counted anew";
    EXPECT_TRUE(std::isnan(start.train_loss));
    EXPECT_EQ(after.epochs()[1].epoch, 1);
    const std::vector<EpochReport> written = read_run_history(next().output);
    ASSERT_EQ(written.size(), 3U);
    EXPECT_EQ(written.front().validation_loss, start.validation_loss);
    EXPECT_THAT(bytes_of(next().output + "/metrics.csv"), HasSubstr("\n0,0.0,,"));
}

TEST_F(StartingWeightsTest, KeepTheModelWhereNoEpochIsBetter) {
    trained(first());
    Recipe recipe = next();
    recipe.schedule.learning_rate = 30.0;
    recipe.schedule.warmup_steps = 0;
    recipe.early_stopping.patience = 1;
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter heard;
    EXPECT_EQ(Trainer(recipe, *backend, heard).run(), TrainingOutcome::stopped_early);
    ASSERT_EQ(heard.epochs().size(), 2U);
    EXPECT_GT(heard.epochs()[1].validation_loss, heard.epochs()[0].validation_loss);
    EXPECT_FALSE(heard.epochs()[1].best);
    EXPECT_EQ(weights_in(recipe.output + "/best"), weights_in(recipe.weights));
    EXPECT_THAT(bytes_of(recipe.output + "/best/README.md"), HasSubstr("no epoch has been better"));
}

TEST_F(StartingWeightsTest, ResumesBitForBitWithoutTheModelItStartedFrom) {
    trained(first());
    expect_resumes_bit_for_bit(next(), {{1, 5}, {3, 4, 6}, {5, 5}});
    const Recipe straight = next();
    trained(straight);
    Recipe parts = straight;
    parts.output = folder_.file("parts");
    {
        const auto backend = make_cpu_backend({.threads = 1});
        StopAfter observer(4);
        Trainer trainer(parts, *backend, observer);
        EXPECT_EQ(trainer.run(), TrainingOutcome::interrupted);
    }
    std::filesystem::remove_all(parts.weights);
    train_with_interruptions(parts, {1 << 30});
    expect_same_run(straight.output, parts.output);
}

TEST_F(StartingWeightsTest, FrozenPartsKeepTheirBitsAndTheOthersMove) {
    trained(first());
    Recipe recipe = next();
    recipe.freeze = {"lift", "blocks.1.unet", "projection.first.bias"};
    trained(recipe);
    const auto before = weights_in(recipe.weights), after = weights_in(recipe.output + "/best");
    int frozen = 0, statistics = 0;
    for (const auto& [name, values] : before) {
        const bool stays =
            name.starts_with("lift.") || name.starts_with("blocks.1.unet.") || name == "projection.first.bias";
        EXPECT_EQ(after.at(name) == values, stays) << name;
        frozen += stays ? 1 : 0;
        statistics += stays && name.ends_with("running_mean") ? 1 : 0;
    }
    EXPECT_GT(frozen, 10);
    EXPECT_GT(statistics, 0) << "batch norm inside";
    expect_resumes_bit_for_bit(recipe, {{3, 6}});
}

TEST_F(StartingWeightsTest, FreezingChangesNothingForTheFirstStepOfTheOthers) {
    trained(first("conv_fno"));
    Recipe all = next("conv_fno");
    all.epochs = 1;
    all.batch_size = 3;
    all.optimizer.weight_decay = 0.0;
    Recipe some = all;
    some.freeze = {"blocks.0", "lift"};
    some.output = folder_.file("some");
    trained(all);
    trained(some);
    const auto whole = weights_in(all.output + "/best"), part = weights_in(some.output + "/best");
    for (const auto& [name, values] : part) {
        const bool stays = name.starts_with("lift.") || name.starts_with("blocks.0.");
        EXPECT_EQ(values == whole.at(name), !stays) << name;
    }
}

TEST_F(StartingWeightsTest, RefusesAnotherNetworkNamingTheEntry) {
    trained(first());
    Recipe recipe = next();
    recipe.network.network.width = 5;
    EXPECT_THAT(refusal_to_train(recipe), AllOf(HasSubstr("'network.width' is 5"), HasSubstr("has 4"),
                                                HasSubstr("take the own recipe of the model")));
    recipe = next("conv_fno");
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("'network.architecture' is \"conv_fno\""));
    recipe = next();
    std::swap(recipe.network.channels[2], recipe.network.channels[3]);
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("'channels[2]'"));
    recipe = next();
    recipe.network.channels[2].offset += 1.0;
    EXPECT_THAT(refusal_to_train(recipe), AllOf(HasSubstr("'channels[2]'"), HasSubstr("offset")));
    recipe = next();
    recipe.set("fields=pressure_buildup");
    EXPECT_THAT(refusal_to_train(recipe), AllOf(HasSubstr("pressure_buildup"), HasSubstr("has gas_saturation")));
    recipe = next();
    recipe.weights = folder_.file("nothing here");
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("no model bundle"));
}

TEST_F(StartingWeightsTest, RefusesToFreezeWhatIsNotThere) {
    trained(first());
    Recipe recipe = next();
    recipe.freeze = {"lift", "block.0"};
    EXPECT_THAT(refusal_to_train(recipe),
                AllOf(HasSubstr("no weight 'block.0' to freeze"), HasSubstr("lift, blocks, projection")));
    recipe.freeze = {"blocks.7"};
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("blocks.0, blocks.1"));
    recipe.freeze = {"blocks", "lift", "projection"};
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("leaves no weight to train"));
    recipe.freeze = {"lift"};
    recipe.weights.clear();
    EXPECT_THAT(refusal_to_train(recipe), HasSubstr("'freeze'"));
}

TEST_F(StartingWeightsTest, FreezesOnAGridOfRanksLikeOnOne) {
    Recipe start = first();
    start.network.network.padding = {8, 2, 2};
    trained(start);
    Recipe recipe = next();
    recipe.network = start.network;
    recipe.freeze = {"lift", "blocks.0.spectral", "blocks.1.unet"};
    trained(recipe);
    Recipe shared = recipe;
    shared.output = folder_.file("shared");
    on_ranks(4, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, {2, 2});
        StopAfter observer;
        EXPECT_EQ(Trainer(shared, *backend, observer, &grid).run(), TrainingOutcome::finished);
    });
    const auto before = weights_in(recipe.weights), alone = weights_in(recipe.output + "/best"),
               several = weights_in(shared.output + "/best");
    for (const auto& [name, values] : alone) {
        if (values == before.at(name)) {
            EXPECT_EQ(several.at(name), values) << name;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_NEAR(several.at(name)[i], values[i], 2e-3) << name;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
