#include <plumecast/layers/linear.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

TEST(Linear, MapsTheChannels) {
    const auto oracle = make_oracle_backend();
    const auto leaf = [&](const Shape& shape, const std::vector<double>& values) {
        return Variable(*oracle, host_tensor<double>(shape, values));
    };
    const Variable x = leaf({1, 2, 2}, {1, 2, 3, 4});
    const Variable y = linear(x, leaf({3, 2}, {1, 0, 0, 1, 1, -1}), leaf({3}, {10, 20, 30}));
    EXPECT_EQ(y.shape().text(), "[1, 2, 3]");
    EXPECT_EQ(as_double(y.value()), (std::vector<double>{11, 22, 29, 13, 24, 29}));
}

TEST(Linear, HasGradients) {
    expect_gradients([](const Inputs& in) { return linear(in[0], in[1], in[2]); }, {{2, 3, 2, 4}, {5, 4}, {5}});
    expect_gradients([](const Inputs& in) { return linear(in[0], in[1], {}); }, {{7, 1}, {1, 1}});
}

TEST(Linear, PassesGradientsOnlyWhereWanted) {
    const auto operation = [](const Inputs& in) { return linear(in[0], in[1], in[2]); };
    for (std::size_t constant = 0; constant < 3; ++constant) {
        expect_gradients(operation, {{6, 4}, {5, 4}, {5}}, {constant});
    }
}

TEST(Linear, AddsUpGradientsOverSeveralUses) {
    expect_gradients(
        [](const Inputs& in) {
            const Variable hidden = linear(in[0], in[1], in[2], {{}, {Activation::Kind::tanh}});
            return linear(hidden, in[1], in[2], {hidden});
        },
        {{6, 4}, {4, 4}, {4}});
}

TEST(Linear, StartsUniformWithinTheInverseRootOfItsInputs) {
    const auto oracle = make_oracle_backend();
    Parameters parameters(*oracle, 3);
    const Linear layer(Scope(parameters).child("linear"), 25, 40);
    EXPECT_EQ(layer.weight.shape().text(), "[40, 25]");
    EXPECT_EQ(layer.bias.shape().text(), "[40]");
    EXPECT_EQ(parameters.all()[0].name, "linear.weight");
    EXPECT_EQ(parameters.all()[1].name, "linear.bias");
    double most = 0.0;
    for (double value : as_double(layer.weight.value())) {
        most = std::max(most, std::abs(value));
    }
    EXPECT_LE(most, 0.2);
    EXPECT_GT(most, 0.19);
}

}  // namespace
}  // namespace plumecast::testing
