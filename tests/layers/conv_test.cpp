#include <plumecast/layers/conv.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

TEST(Conv, HasGradientsOfInputWeightAndBias) {
    expect_gradients([](const Inputs& in) { return conv(kernel3(1), {in[0]}, in[1], in[2]); },
                     {{2, 2, 3, 4, 2}, {3, 3, 3, 3, 2}, {3}});
}

TEST(Conv, HasGradientsAtStrideTwoOnOddExtents) {
    expect_gradients([](const Inputs& in) { return conv(kernel3(2), {in[0]}, in[1], {}); },
                     {{1, 3, 4, 5, 2}, {2, 3, 3, 3, 2}});
}

TEST(Conv, ReadsSeveralInputsAsOne) {
    expect_gradients(
        [](const Inputs& in) {
            return conv(kernel3(1), {in[0], in[1]}, in[2], in[3]);
        },
        {{1, 2, 3, 2, 2}, {1, 2, 3, 2, 1}, {2, 3, 3, 3, 3}, {2}});
    expect_gradients(
        [](const Inputs& in) {
            return conv(kernel3(2), {in[0], in[1], in[2]}, in[3], {});
        },
        {{1, 2, 3, 2, 1}, {1, 2, 3, 2, 2}, {1, 2, 3, 2, 1}, {2, 3, 3, 3, 4}});
}

TEST(Conv, SkipsInputsWithoutGradient) {
    const auto operation = [](const Inputs& in) { return conv(kernel3(1), {in[0], in[1], in[2]}, in[3], {}); };
    const std::vector<Shape> shapes{{1, 2, 3, 2, 1}, {1, 2, 3, 2, 2}, {1, 2, 3, 2, 1}, {2, 3, 3, 3, 4}};
    for (const std::vector<std::size_t>& constant : {std::vector<std::size_t>{1}, {0, 2}, {0, 1, 2}, {3}, {0, 3}}) {
        expect_gradients(operation, shapes, constant);
    }
}

TEST(Conv, HasGradientsWhenOneInputIsUsedTwice) {
    expect_gradients(
        [](const Inputs& in) {
            return conv(kernel3(1), {in[0], in[0]}, in[1], {});
        },
        {{1, 2, 3, 2, 1}, {2, 3, 3, 3, 2}});
}

TEST(Conv, DoublesExtentsWhenTransposed) {
    for (const ConvGeometry& geometry : {doubling4(), doubling3()}) {
        const std::int64_t k = geometry.kernel[0];
        SCOPED_TRACE(k);
        const auto operation = [&](const Inputs& in) {
            const Variable y = conv(geometry, {in[0]}, in[1], in[2]);
            EXPECT_EQ(y.shape().text(), "[1, 4, 2, 6, 2]");
            return y;
        };
        expect_gradients(operation, {{1, 2, 1, 3, 2}, {2, k, k, k, 2}, {2}});
    }
}

TEST(Conv, ReadsSeveralInputsWhenTransposed) {
    const auto operation = [](const Inputs& in) {
        return conv(doubling4(), {in[0], in[1]}, in[2], in[3], {{}, Activation::leaky_relu(0.1)});
    };
    const std::vector<Shape> shapes{{1, 1, 2, 2, 1}, {1, 1, 2, 2, 2}, {3, 4, 4, 4, 1}, {1}};
    expect_gradients(operation, shapes);
    expect_gradients(operation, shapes, {0});
}

TEST(Conv, HasGradientsOverThreeAxesOfSpaceEachTimeStepOnItsOwn) {
    const ConvAxes axes{3, 1, false};
    expect_gradients(
        [&](const Inputs& in) {
            return conv(kernel3(1, axes), {in[0], in[1]}, in[2], in[3]);
        },
        {{2, 2, 3, 2, 3, 1}, {2, 2, 3, 2, 3, 1}, {2, 3, 3, 3, 1, 2}, {2}});
    expect_gradients([&](const Inputs& in) { return conv(kernel3(2, axes), {in[0]}, in[1], {}); },
                     {{1, 4, 2, 3, 2, 2}, {1, 3, 3, 3, 1, 2}});
    expect_gradients([&](const Inputs& in) { return conv(doubling4(axes), {in[0]}, in[1], in[2]); },
                     {{1, 2, 1, 2, 3, 1}, {1, 4, 4, 4, 1, 2}, {2}});
}

TEST(Conv, HasGradientsOverThreeAxesOfSpaceAndTime) {
    const ConvAxes axes{3, 3, false};
    expect_gradients([&](const Inputs& in) { return conv(kernel3(2, axes), {in[0]}, in[1], in[2]); },
                     {{1, 2, 3, 2, 3, 2}, {2, 3, 3, 3, 3, 2}, {2}});
}

TEST(Conv, HalvesAndDoublesTheAxesOfSpaceAndTimeIfAskedTo) {
    for (const std::int64_t kernel : {1, 3, 5}) {
        for (const bool strides : {false, true}) {
            if (kernel == 1 && strides) {
                continue;
            }
            const ConvAxes axes{3, kernel, strides};
            const Shape fine{1, 4, 6, 2, 8, 1}, coarse{1, 2, 3, 1, strides ? 4 : 8, 1};
            EXPECT_EQ(kernel3(1, axes).output_shape(fine, 1), fine);
            EXPECT_EQ(kernel3(2, axes).output_shape(fine, 1), coarse);
            EXPECT_EQ(doubling4(axes).output_shape(coarse, 1), fine);
            EXPECT_EQ(doubling3(axes).output_shape(coarse, 1), fine);
        }
    }
    EXPECT_EQ(kernel3(2, {2, 1, false}).output_shape({1, 4, 6, 5, 1}, 1), (Shape{1, 2, 3, 5, 1}));
}

TEST(Conv, AddsAndActivates) {
    for (const Activation& f : {Activation::relu(), Activation{Activation::Kind::gelu}}) {
        expect_gradients(
            [&](const Inputs& in) {
                return conv(kernel3(1), {in[0]}, in[1], in[2], {activate(in[3], {Activation::Kind::tanh}), f});
            },
            {{1, 2, 3, 2, 2}, {2, 3, 3, 3, 2}, {2}, {1, 2, 3, 2, 2}});
    }
}

/// A convolution and a linear layer of given weights and biases.
struct Pair {
    Conv conv;
    Linear linear;

    Pair(const ConvGeometry& geometry, const Inputs& weights)
        : Pair(Parameters(weights[0].backend(), 1), geometry, weights) {}

   private:
    Pair(Parameters parameters, const ConvGeometry& geometry, const Inputs& weights)
        : conv(Scope(parameters).child("conv"), geometry, 1, 1, true), linear(Scope(parameters).child("linear"), 1, 1) {
        conv.weight = weights[0];
        conv.bias = weights[1];
        linear.weight = weights[2];
        linear.bias = weights[3];
    }
};

TEST(Conv, TakesALinearLayerBesideItAsItsCentre) {
    const ConvAxes space{3, 1, false};
    for (const auto& [axes, x, kernel] : {std::tuple{ConvAxes{}, Shape{2, 3, 4, 3, 2}, Shape{3, 3, 3, 3, 3}},
                                          std::tuple{space, Shape{1, 2, 3, 2, 2, 2}, Shape{3, 3, 3, 3, 1, 3}}}) {
        const auto operation = [geometry = kernel3(1, axes)](const Inputs& in) {
            const Pair pair(geometry, {in[2], in[3], in[4], in[5]});
            return with_linear(pair.conv, pair.linear)({in[0], in[1]});
        };
        const std::vector<Shape> shapes{x, x.with(-1, 1), kernel, {3}, {3, 2}, {3}};
        expect_gradients(operation, shapes);

        const auto oracle = make_oracle_backend();
        Inputs in;
        for (const Shape& shape : shapes) {
            in.push_back(random_leaf(*oracle, shape, std::to_string(in.size())));
        }
        const Variable apart = linear(in[0], in[4], in[5], {conv(kernel3(1, axes), {in[0], in[1]}, in[2], in[3])});
        expect_close(operation(in).value(), apart.value(), 1e-14);
    }
}

double largest(const Variable& x) {
    double most = 0.0;
    for (double value : as_double(x.value())) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

TEST(Conv, StartsUniformWithinTheInverseRootOfTheFanIn) {
    const auto oracle = make_oracle_backend();
    Parameters parameters(*oracle, 3);
    const Conv plain(Scope(parameters).child("plain"), kernel3(1), 4, 7, true);
    EXPECT_EQ(plain.weight.shape().text(), "[7, 3, 3, 3, 4]");
    EXPECT_EQ(plain.bias.shape().text(), "[7]");
    const double bound = 1.0 / std::sqrt(27.0 * 4.0);
    EXPECT_LE(largest(plain.weight), bound + 1e-8);
    EXPECT_GT(largest(plain.weight), 0.95 * bound);
    const Conv up(Scope(parameters).child("up"), doubling4(), 3, 5, false);
    EXPECT_EQ(up.weight.shape().text(), "[3, 4, 4, 4, 5]");
    EXPECT_FALSE(up.bias.defined());
    EXPECT_LE(largest(up.weight), 1.0 / std::sqrt(64.0 * 5.0) + 1e-8);
}

}  // namespace
}  // namespace plumecast::testing
