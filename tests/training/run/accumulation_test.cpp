#include <gmock/gmock.h>

#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

class AccumulationTest : public ::testing::Test {
   protected:
    /// One step per epoch of all three cases, in batches of so many.
    Recipe recipe(const std::string& name, int batch_size, int accumulate) const {
        Recipe recipe = tiny_recipe(folder_, "conv_fno");
        recipe.output = folder_.file(name);
        recipe.batch_size = batch_size;
        recipe.accumulate = accumulate;
        recipe.epochs = 2;
        recipe.network.network.padding = {8, 2, 2};
        return recipe;
    }
    static void train_in_float64(const Recipe& recipe) {
        const auto backend = make_oracle_backend();
        StopAfter observer;
        Trainer(recipe, *backend, observer).run();
    }
    static void expect_near(const std::string& a, const std::string& b, float tolerance) {
        const auto expected = weights_in(b);
        for (const auto& [name, values] : weights_in(a)) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_NEAR(values[i], expected.at(name)[i], tolerance) << name;
            }
        }
    }
    ScratchFolder folder_;
};

TEST_F(AccumulationTest, EqualsTheLargerBatch) {
    const Recipe whole = recipe("whole", 3, 1);
    train_in_float64(whole);
    // Batches of one, and of two and one: a case counts alike wherever it is.
    for (const auto& [batch, steps] : {std::pair{1, 3}, std::pair{2, 5}}) {
        const Recipe parts = recipe("parts of " + std::to_string(batch) + " " + std::to_string(steps), batch, steps);
        train_in_float64(parts);
        expect_near(parts.output + "/checkpoint", whole.output + "/checkpoint", 1e-6F);
    }
}

TEST_F(AccumulationTest, TellsTheLossOfTheCasesAndTakesFewerSteps) {
    const StopAfter whole = trained(recipe("whole", 3, 1)), parts = trained(recipe("parts", 1, 3));
    for (std::size_t epoch = 0; epoch < 2; ++epoch) {
        EXPECT_NEAR(parts.epochs()[epoch].train_loss, whole.epochs()[epoch].train_loss, 1e-5);
    }
    EXPECT_EQ(parts.progress().size(), 6U);
    EXPECT_EQ(parts.progress().back().cases_done, 3);
    const Json state = Json::parse(bytes_of(folder_.file("parts/checkpoint/state.json")), "state.json");
    EXPECT_EQ(*state.find("steps")->get_if<std::int64_t>(), 2);
}

TEST_F(AccumulationTest, ResumesBitForBitBetweenSteps) {
    // Two steps an epoch, of two batches and of what is left; validation asks three times.
    expect_resumes_bit_for_bit(recipe("run", 1, 2), {{1, 5}, {2, 3, 7}, {3, 1, 6}});
}

TEST_F(AccumulationTest, ClipsAndAddsUpOnAGridOfRanksLikeOnOne) {
    Recipe alone = recipe("alone", 2, 2);
    alone.optimizer.gradient_clip = 0.05;
    Recipe shared = alone;
    shared.output = folder_.file("shared");
    train_in_float64(alone);
    on_ranks(4, [&](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {2, 2});
        StopAfter observer;
        Trainer(shared, *backend, observer, &grid).run();
    });
    expect_near(shared.output + "/checkpoint", alone.output + "/checkpoint", 1e-6F);
}

}  // namespace
}  // namespace plumecast::testing
