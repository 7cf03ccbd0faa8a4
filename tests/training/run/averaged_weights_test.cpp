#include "training/run/averaged_weights.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/io/safetensors.hpp>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/rank_plan.hpp"

namespace plumecast::testing {
namespace {

using Values = std::vector<double>;

class AveragedWeightsTest : public BackendTest {
   protected:
    void SetUp() override {
        BackendTest::SetUp();
        if (IsSkipped()) {
            return;
        }
        parameters_.emplace(backend(), 3);
        parameters_->add({.of = "a", .shape = {3, 4}, .low = -1.0, .high = 1.0});
        parameters_->add({.of = "statistics", .shape = {2}, .low = 1.0, .high = 1.0, .trainable = false});
        parameters_->add({.of = "stays", .shape = {5}, .low = -1.0, .high = 1.0});
    }
    Values values(const std::string& name) const { return as_double(parameters_->download(parameters_->at(name))); }
    void assign(const std::string& name, const std::string& content) const {
        parameters_->assign(name, random_tensor(parameters_->at(name).whole, DType::float32, content));
    }
    Values averaged(AveragedWeights& average, const std::string& name) const {
        const AveragedInPlace in_place(&average);
        return values(name);
    }
    std::optional<Parameters> parameters_;
    ScratchFolder folder_;
};

TEST_P(AveragedWeightsTest, FollowsItsFormula) {
    for (const double decay : {0.3, 0.999}) {
        AveragedWeights average(*parameters_, decay);
        Values expected = values("a"), statistics = values("statistics");
        for (int step = 1; step <= 20; ++step) {
            assign("a", "a" + std::to_string(step));
            assign("statistics", "s" + std::to_string(step));
            average.follow(step);
            const double kept = std::min(decay, (1.0 + step) / (10.0 + step));
            for (auto& [old, name] : {std::pair{&expected, "a"}, std::pair{&statistics, "statistics"}}) {
                const Values present = values(name);
                for (std::size_t i = 0; i < present.size(); ++i) {
                    (*old)[i] = kept * (*old)[i] + (1.0 - kept) * present[i];
                }
            }
        }
        for (const auto& [right, name] : {std::pair{&expected, "a"}, std::pair{&statistics, "statistics"}}) {
            const Values found = averaged(average, name);
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_NEAR(found[i], (*right)[i], 2e-6) << name;
            }
        }
    }
}

TEST_P(AveragedWeightsTest, GivesTheWeightsBackToTheBit) {
    AveragedWeights average(*parameters_, 0.9);
    assign("a", "later");
    average.follow(1);
    const Values before = values("a"), steady = values("stays");
    EXPECT_NE(averaged(average, "a"), before);
    EXPECT_EQ(values("a"), before);
    EXPECT_EQ(averaged(average, "stays"), steady) << "what does not move keeps its bits";
    const AveragedInPlace nothing(nullptr);
    EXPECT_EQ(values("a"), before);
}

TEST_P(AveragedWeightsTest, ContinuesFromItsFileBitForBit) {
    AveragedWeights straight(*parameters_, 0.99), after(*parameters_, 0.99);
    assign("a", "first");
    straight.follow(1);
    straight.save(folder_.file("average.safetensors"));
    after.load(folder_.file("average.safetensors"));
    assign("a", "second");
    straight.follow(2);
    after.follow(2);
    EXPECT_EQ(averaged(straight, "a"), averaged(after, "a"));
    Parameters other(backend(), 3);
    other.add({.of = "a", .shape = {4, 3}, .high = 1.0});
    EXPECT_THROW(AveragedWeights(other, 0.9).load(folder_.file("average.safetensors")), InvalidModel);
}

INSTANTIATE_TEST_SUITE_P(Backends, AveragedWeightsTest, ::testing::ValuesIn(backends_and_oracle()), choice_name);

class AveragedRunTest : public ::testing::Test {
   protected:
    Recipe recipe() const {
        Recipe recipe = tiny_recipe(folder_, "ufno");
        recipe.average_weights = 0.9;
        recipe.schedule.learning_rate = 1e-2;
        recipe.epochs = 2;
        return recipe;
    }
    ScratchFolder folder_;
};

TEST_F(AveragedRunTest, LeavesTheStepsAloneAndSavesTheAverageAsBest) {
    const Recipe averaged = recipe();
    Recipe plain = averaged;
    plain.average_weights = 0.0;
    plain.output = folder_.file("plain");
    const StopAfter heard = trained(averaged), without = trained(plain);
    EXPECT_EQ(weights_in(averaged.output + "/checkpoint"), weights_in(plain.output + "/checkpoint"));
    EXPECT_EQ(heard.epochs().back().train_loss, without.epochs().back().train_loss);
    EXPECT_NE(*heard.epochs().back().validation_loss, *without.epochs().back().validation_loss);
    ASSERT_TRUE(heard.epochs().back().best);
    const SafetensorsFile average(averaged.output + "/checkpoint/average.safetensors");
    for (const auto& [name, values] : weights_in(averaged.output + "/best")) {
        const Tensor kept = average.read(name);
        EXPECT_TRUE(std::ranges::equal(kept.values<float>(), values)) << name;
    }
    EXPECT_NE(weights_in(averaged.output + "/best"), weights_in(averaged.output + "/checkpoint"));
}

TEST_F(AveragedRunTest, ResumesBitForBitFromAnyInterruption) {
    expect_resumes_bit_for_bit(recipe(), {{1, 5}, {2, 3, 5}, {3, 4, 6}}, {"/checkpoint/average.safetensors"});
}

TEST_F(AveragedRunTest, IsCountedInTheMemoryPlan) {
    const NetworkDescription network = tiny_network("ufno");
    const RankPlan without = plan_rank(network, {4, 5, 3}, 2, {}),
                   with = plan_rank(network, {4, 5, 3}, 2, {}, {.averages = true});
    const RankPlan frozen = plan_rank(network, {4, 5, 3}, 2, {}, {.freeze = {"blocks"}});
    EXPECT_EQ(with.memory.inference, without.memory.inference);
    EXPECT_GE(with.memory.training, without.memory.training + without.memory.weights / 2);
    EXPECT_LE(with.memory.training, without.memory.training + 3 * without.memory.weights);
    EXPECT_LT(frozen.memory.training, without.memory.training) << "no gradients and moments of what is frozen";
}

}  // namespace
}  // namespace plumecast::testing
