#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"

namespace plumecast::testing {
namespace {

class Conv : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Conv, ::testing::ValuesIn(op_backends()), choice_name);
class ConvByHand : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ConvByHand, ::testing::ValuesIn(backends_and_oracle()), choice_name);

const std::vector<Activation> activations{Activation::identity(),
                                          Activation::relu(),
                                          Activation::leaky_relu(0.1),
                                          {Activation::Kind::tanh},
                                          {Activation::Kind::gelu}};

TEST_P(Conv, MatchesDefinitionWithAndWithoutBias) {
    for (const ConvCase& c : conv_cases()) {
        for (double beta : {0.0, 1.0}) {
            const auto ops = [&](Arrays& a) {
                const auto inputs = c.random_inputs(a);
                const View weight = a.random("w", c.weight()), bias = a.random("bias", {c.outputs});
                a.backend().conv(c.geometry, inputs, weight, {}, a.field_target("y", c.output(), beta),
                                 Activation::identity());
                a.backend().conv(c.geometry, inputs, weight, bias, a.field_target("biased", c.output(), beta),
                                 Activation::identity());
            };
            expect_like_oracle(backend(), {"y", "biased"}, ops, 1e-5, c.name + " beta " + std::to_string(beta));
        }
    }
}

TEST_P(Conv, AppliesTheActivationToTheWholeSum) {
    for (const ConvCase& c : conv_cases()) {
        for (const Activation& f : activations) {
            const auto ops = [&](Arrays& a) {
                a.backend().conv(c.geometry, c.random_inputs(a), a.random("w", c.weight()),
                                 a.random("bias", {c.outputs}), a.field_target("y", c.output(), 1.0), f);
            };
            expect_like_oracle(backend(), {"y"}, ops, 1e-5, c.name);
        }
    }
}

TEST_P(ConvByHand, WeighsNeighboursInOrder) {
    Arrays a(backend());
    const ConvGeometry g{.kernel = {1, 1, 3}, .padding_low = {0, 0, 1}, .padding_high = {0, 0, 1}};
    const std::vector<ConstView> x{a.upload("x", host_tensor<float>({1, 1, 1, 4, 1}, std::vector<float>{1, 2, 3, 4}))};
    const View w = a.upload("w", host_tensor<float>({1, 1, 1, 3, 1}, std::vector<float>{100, 10, 1}));
    backend().conv(g, x, w, {}, a.target("y", {1, 1, 1, 4, 1}, 0.0), Activation::identity());
    EXPECT_EQ(as_double(a.download("y")), (std::vector<double>{12, 123, 234, 340}));
}

TEST_P(ConvByHand, PassesNanThroughTheActivationThatIsPartOfIt) {
    for (const Activation& f : {Activation::relu(), Activation::leaky_relu(0.1)}) {
        Arrays a(backend());
        const View x = a.random("x", {2, 6, 6, 6, 12});
        backend().fill(x.rows(1, 2), std::nan(""));
        backend().conv({}, std::vector<ConstView>{x}, a.random("w", {20, 3, 3, 3, 12}), a.random("b", {20}),
                       a.target("y", {2, 6, 6, 6, 20}, 0.0), f);
        const std::vector<double> y = as_double(a.download("y"));
        EXPECT_EQ(std::ranges::count_if(y, [](double value) { return std::isnan(value); }), 6 * 6 * 6 * 20);
    }
}

TEST_P(ConvByHand, TransposedSpreadsEveryCellOverTheKernel) {
    Arrays a(backend());
    const ConvGeometry g{.kernel = {1, 1, 3},
                         .stride = {1, 1, 2},
                         .padding_low = {0, 0, 1},
                         .padding_high = {0, 0, 0},
                         .transposed = true};
    const std::vector<ConstView> x{a.upload("x", host_tensor<float>({1, 1, 1, 2, 1}, std::vector<float>{1, 2}))};
    const View w = a.upload("w", host_tensor<float>({1, 1, 1, 3, 1}, std::vector<float>{100, 10, 1}));
    backend().conv(g, x, w, {}, a.target("y", {1, 1, 1, 4, 1}, 0.0), Activation::identity());
    EXPECT_EQ(as_double(a.download("y")), (std::vector<double>{10, 201, 20, 2}));
}

TEST(ConvGeometry, CountsOutputCells) {
    const Shape input{1, 7, 8, 1, 3};
    using Axes = ConvGeometry::Axes;
    EXPECT_EQ(ConvGeometry{}.output_extents(input), (Axes{7, 8, 1}));
    EXPECT_EQ((ConvGeometry{.stride = {2, 2, 2}}).output_extents(input), (Axes{4, 4, 1}));
    const ConvGeometry up{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    EXPECT_EQ(up.output_extents(input), (Axes{14, 16, 2}));
    const ConvGeometry up3{.stride = {2, 2, 2}, .padding_high = {0, 0, 0}, .transposed = true};
    EXPECT_EQ(up3.output_extents(input), (Axes{14, 16, 2}));
}

TEST(ConvGeometry, ThrowsWhenTheKernelExceedsThePaddedField) {
    const ConvGeometry bare{.padding_low = {0, 0, 0}, .padding_high = {0, 0, 0}};
    EXPECT_THROW(bare.output_extents({1, 3, 2, 3, 1}), InvalidInput);
    EXPECT_THROW((ConvGeometry{.kernel = {3, 3, 9}, .stride = {2, 2, 9}}).output_extents({1, 3, 3, 5, 1}),
                 InvalidInput);
    EXPECT_THROW(ConvGeometry{}.output_extents({1, 3, 0, 3, 1}), InvalidInput);
    const ConvGeometry up{.kernel = {1, 1, 1}, .transposed = true};
    EXPECT_THROW(up.output_extents({1, 1, 4, 4, 1}), InvalidInput);
}

TEST(ConvGeometry, ThrowsForAnInputOfWrongRank) { EXPECT_THROW(ConvGeometry{}.output_extents({3, 3, 3, 1}), Error); }

}  // namespace
}  // namespace plumecast::testing
