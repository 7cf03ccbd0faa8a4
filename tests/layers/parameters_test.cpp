#include <plumecast/layers/parameters.hpp>

#include <gmock/gmock.h>

#include <algorithm>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

class ParametersTest : public ::testing::Test {
   protected:
    std::vector<double> initial(std::uint64_t seed, const std::string& name) {
        Parameters parameters(*oracle_, seed);
        return as_double(parameters.uniform(name, {50}, -1.0, 1.0).value());
    }
    std::unique_ptr<Backend> oracle_ = make_oracle_backend();
};

TEST_F(ParametersTest, StartFromSeedAndNameAlone) {
    Parameters parameters(*oracle_, 7);
    parameters.constant("first", {3}, 1.0);
    const Variable late = parameters.uniform("weight", {50}, -1.0, 1.0);
    EXPECT_EQ(as_double(late.value()), initial(7, "weight"));
    EXPECT_NE(initial(7, "weight"), initial(8, "weight"));
    EXPECT_NE(initial(7, "weight"), initial(7, "other"));
}

TEST_F(ParametersTest, AreUniformWithinTheirBounds) {
    Parameters parameters(*oracle_, 7);
    const std::vector<double> values = as_double(parameters.uniform("weight", {1000}, 2.0, 3.0).value());
    EXPECT_GE(std::ranges::min(values), 2.0);
    EXPECT_LT(std::ranges::min(values), 2.02);
    EXPECT_LE(std::ranges::max(values), 3.0);
    EXPECT_GT(std::ranges::max(values), 2.98);
}

TEST_F(ParametersTest, CountComplexNumbersOnceAndBuffersNever) {
    Parameters parameters(*oracle_, 7);
    parameters.uniform("a", {2, 3}, 0.0, 1.0);
    parameters.complex_uniform("b", {4, 2, 5}, 1.0);
    parameters.constant("c", {7}, 1.0);
    parameters.buffer("d", {11}, 1.0);
    EXPECT_EQ(parameters.count(), 6 + 20 + 7);
    ASSERT_EQ(parameters.all().size(), 4u);
    EXPECT_EQ(parameters.all()[3].name, "d");
    EXPECT_FALSE(parameters.all()[3].variable.requires_grad());
    EXPECT_TRUE(parameters.all()[1].complex_valued);
}

TEST_F(ParametersTest, RefuseANameTwice) {
    Parameters parameters(*oracle_, 7);
    parameters.constant("a", {1}, 1.0);
    EXPECT_THROW(parameters.constant("a", {1}, 1.0), Error);
}

TEST_F(ParametersTest, TakeValuesByName) {
    Parameters parameters(*oracle_, 7);
    parameters.constant("a.weight", {2, 2}, 1.0);
    parameters.assign("a.weight", host_tensor<float>({2, 2}, std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(as_double(parameters.download(parameters.at("a.weight"))), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(ParametersTest, NameTheParameterInErrors) {
    Parameters parameters(*oracle_, 7);
    parameters.constant("a.weight", {2, 2}, 1.0);
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

TEST_F(ParametersTest, TurnGradientsOnAndOffButForBuffers) {
    Parameters parameters(*oracle_, 7);
    const Variable weight = parameters.constant("weight", {1}, 1.0), buffer = parameters.buffer("buffer", {1}, 1.0);
    parameters.set_trainable(false);
    EXPECT_FALSE(weight.requires_grad());
    parameters.set_trainable(true);
    EXPECT_TRUE(weight.requires_grad());
    EXPECT_FALSE(buffer.requires_grad());
}

TEST_F(ParametersTest, StayAsTheyAreWhenFrozenByNameOrPart) {
    Parameters parameters(*oracle_, 7);
    const std::vector<std::string> names{"blocks.1.weight", "blocks.1.bias", "blocks.10.weight", "lift.weight"};
    for (const std::string& name : names) {
        parameters.constant(name, {1}, 1.0);
    }
    parameters.buffer("blocks.1.running_mean", {1}, 1.0);
    parameters.freeze({"blocks.1", "lift.weight"});
    parameters.set_trainable(true);
    for (const std::string& name : names) {
        const bool stays = name != "blocks.10.weight";
        EXPECT_EQ(parameters.at(name).moves(), !stays) << name;
        EXPECT_EQ(parameters.at(name).variable.requires_grad(), !stays) << name;
    }
    EXPECT_EQ(parameters.count(), 4) << "frozen ones are parameters all the same";
}

TEST_F(ParametersTest, NameWhatThereIsToFreeze) {
    Parameters parameters(*oracle_, 7);
    for (const char* name : {"blocks.0.conv.weight", "blocks.0.conv.bias", "blocks.1.linear", "lift.weight"}) {
        parameters.constant(name, {1}, 1.0);
    }
    parameters.buffer("blocks.0.running_mean", {1}, 1.0);
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

TEST_F(ParametersTest, AreNamedByPath) {
    Parameters parameters(*oracle_, 7);
    const Scope block = Scope(parameters).child("blocks").child("3");
    EXPECT_EQ(block.path("weight"), "blocks.3.weight");
    EXPECT_EQ(Scope(parameters).path("weight"), "weight");
}

}  // namespace
}  // namespace plumecast::testing
