#include <plumecast/architectures/parameters.hpp>

#include <gmock/gmock.h>

#include <algorithm>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class ParametersTest : public ::testing::Test {
   protected:
    std::vector<double> initial(std::uint64_t seed, const std::string& name) {
        Parameters parameters(*oracle_, seed);
        parameters.add({.of = name, .shape = {50}, .low = -1.0, .high = 1.0});
        return as_double(parameters.at(name).weight.value());
    }
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
};

TEST_F(ParametersTest, StartFromSeedAndNameAlone) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "first", .shape = {3}, .low = 1.0, .high = 1.0});
    parameters.add({.of = "weight", .shape = {50}, .low = -1.0, .high = 1.0});
    EXPECT_EQ(as_double(parameters.at("weight").weight.value()), initial(7, "weight"));
    EXPECT_NE(initial(7, "weight"), initial(8, "weight"));
    EXPECT_NE(initial(7, "weight"), initial(7, "other"));
}

TEST_F(ParametersTest, AreZeroWithoutASeedForWhatIsAssigned) {
    Parameters parameters(*oracle_, std::nullopt);
    parameters.add({.of = "weight", .shape = {50}, .low = 1.0, .high = 2.0});
    EXPECT_EQ(as_double(parameters.at("weight").weight.value()), std::vector<double>(50, 0.0));
    parameters.assign("weight", random_tensor({50}, DType::float32, "values"));
    EXPECT_NE(as_double(parameters.at("weight").weight.value()), std::vector<double>(50, 0.0));
}

TEST_F(ParametersTest, AreUniformWithinTheirBounds) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "weight", .shape = {1000}, .low = 2.0, .high = 3.0});
    const std::vector<double> values = as_double(parameters.at("weight").weight.value());
    EXPECT_GE(std::ranges::min(values), 2.0);
    EXPECT_LT(std::ranges::min(values), 2.02);
    EXPECT_LE(std::ranges::max(values), 3.0);
    EXPECT_GT(std::ranges::max(values), 2.98);
}

TEST_F(ParametersTest, CountComplexNumbersOnceAndBuffersNever) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "a", .shape = {2, 3}, .low = 0.0, .high = 1.0});
    parameters.add({.of = "b", .shape = {4, 2, 5}, .high = 1.0, .complex_valued = true});
    parameters.add({.of = "c", .shape = {7}, .low = 1.0, .high = 1.0});
    parameters.add({.of = "d", .shape = {11}, .low = 1.0, .high = 1.0, .trainable = false});
    EXPECT_EQ(parameters.count(), 6 + 20 + 7);
    ASSERT_EQ(parameters.all().size(), 4u);
    EXPECT_EQ(parameters.all()[3].name, "d");
    EXPECT_FALSE(parameters.all()[3].moves());
    EXPECT_TRUE(parameters.all()[1].complex_valued);
}

TEST_F(ParametersTest, RefuseANameTwice) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "a", .shape = {1}, .low = 1.0, .high = 1.0});
    EXPECT_THROW(parameters.add({.of = "a", .shape = {1}, .low = 1.0, .high = 1.0}), Error);
}

TEST_F(ParametersTest, TakeValuesByName) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "a.weight", .shape = {2, 2}, .low = 1.0, .high = 1.0});
    parameters.assign("a.weight", host_tensor<float>({2, 2}, std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(as_double(parameters.download(parameters.at("a.weight"))), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(ParametersTest, NameTheParameterInErrors) {
    Parameters parameters(*oracle_, 7);
    parameters.add({.of = "a.weight", .shape = {2, 2}, .low = 1.0, .high = 1.0});
    const auto message = [&](const std::string& name, const Shape& shape) {
        try {
            parameters.assign(name, host_zeros(shape));
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message("a.wait", {2, 2}), HasSubstr("'a.wait'"));
    EXPECT_THAT(message("a.weight", {4}), HasSubstr("'a.weight' has shape [4] (the network needs [2, 2])"));
}

TEST_F(ParametersTest, StayAsTheyAreWhenFrozenByNameOrPart) {
    Parameters parameters(*oracle_, 7);
    const std::vector<std::string> names{"blocks.1.weight", "blocks.1.bias", "blocks.10.weight", "lift.weight"};
    for (const std::string& name : names) {
        parameters.add({.of = name, .shape = {1}, .low = 1.0, .high = 1.0});
    }
    parameters.add({.of = "blocks.1.running_mean", .shape = {1}, .low = 1.0, .high = 1.0, .trainable = false});
    parameters.freeze({"blocks.1", "lift.weight"});
    for (const std::string& name : names) {
        const bool stays = name != "blocks.10.weight";
        EXPECT_EQ(parameters.at(name).moves(), !stays) << name;
    }
    EXPECT_EQ(parameters.count(), 4) << "frozen ones are parameters all the same";
}

TEST_F(ParametersTest, NameWhatThereIsToFreeze) {
    Parameters parameters(*oracle_, 7);
    for (const char* name : {"blocks.0.conv.weight", "blocks.0.conv.bias", "blocks.1.linear", "lift.weight"}) {
        parameters.add({.of = name, .shape = {1}, .low = 1.0, .high = 1.0});
    }
    parameters.add({.of = "blocks.0.running_mean", .shape = {1}, .low = 1.0, .high = 1.0, .trainable = false});
    const auto message = [&](const std::string& name) {
        try {
            parameters.freeze({"lift", name});
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message("block"), HasSubstr("no weight 'block' to freeze (there are blocks, lift)"));
    EXPECT_THAT(message(""), HasSubstr("(there are blocks, lift)"));
    EXPECT_THAT(message("blocks.2.conv"), HasSubstr("(there are blocks.0, blocks.1)"));
    EXPECT_THAT(message("blocks.0.cnv"), HasSubstr("(there are blocks.0.conv)"));
    EXPECT_THAT(message("blocks.0.running_mean"), HasSubstr("(there are blocks.0.conv)")) << "no optimizer moves it";
}

TEST(SharedParametersOnRanks, StartLikeThoseOfOneRankAndComeTogetherOnTheFirst) {
    const WeightOp shared{.of = "shared", .shape = {3, 5, 2}, .high = 1.0, .complex_valued = true};
    const auto alone_backend = make_oracle_backend();
    Parameters alone(*alone_backend, 7);
    alone.add(shared, 2);
    const std::vector<double> expected = as_double(alone.download(alone.at("shared")));
    on_ranks(4, [&](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {1, 4, 1});
        Parameters parameters(*backend, 7, &grid);
        parameters.add(shared, 2);
        const Parameter& parameter = parameters.at("shared");
        EXPECT_EQ(parameter.owners, balanced_partition(15, 4));
        EXPECT_EQ(parameters.count(), 15);
        const Tensor whole = parameters.download(parameter);
        if (world.rank() == 0) {
            EXPECT_EQ(as_double(whole), expected);
        } else {
            EXPECT_TRUE(whole.empty());
        }
    });
}

}  // namespace
}  // namespace plumecast::testing
