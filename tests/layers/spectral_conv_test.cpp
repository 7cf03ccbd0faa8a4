#include <plumecast/layers/spectral_conv.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <plumecast/layers/lift.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

std::shared_ptr<const SharedSpectrum> transform_for(const Variable& x, const std::vector<std::int64_t>& modes) {
    return std::make_shared<const SharedSpectrum>(
        std::make_shared<const SpectralTransform>(x.backend(), x.shape().slice(1, x.shape().rank() - 1), modes));
}

Operation spectral(const std::vector<std::int64_t>& modes) {
    return [modes](const Inputs& in) { return spectral_conv(in[0], in[1], transform_for(in[0], modes)); };
}

TEST(SpectralConv, HasGradientsOnOneTwoAndThreeSpaceAxes) {
    expect_gradients(spectral({2, 3}), {{2, 6, 5, 2}, {4, 3, 2, 2, 3}});
    expect_gradients(spectral({1, 2, 2}), {{2, 3, 4, 4, 2}, {2, 4, 2, 2, 2, 1}});
    expect_gradients(spectral({1, 1, 1, 2}), {{1, 2, 3, 2, 3, 1}, {2, 2, 2, 2, 2, 1, 2}});
}

TEST(SpectralConv, HasGradientsWithNyquistAndRepeatedModes) {
    expect_gradients(spectral({2, 3, 3}), {{1, 3, 4, 4, 1}, {4, 6, 3, 2, 1, 2}});
}

TEST(SpectralConv, GivesTheFirstCellsAlone) {
    const Shape kept{2, 3, 2};
    const auto corner = [&](const Inputs& in) {
        const Shape extents = in[0].shape().slice(1, 4);
        const std::vector<std::int64_t> modes{1, 2, 2};
        const auto few = std::make_shared<const SharedSpectrum>(
            std::make_shared<const SpectralTransform>(in[0].backend(), extents, modes, Box(kept)));
        return spectral_conv(in[0], in[1], transform_for(in[0], modes), few, {in[2]});
    };
    const std::vector<Shape> shapes{{2, 3, 5, 4, 2}, {2, 4, 2, 2, 2, 3}, {2, 2, 3, 2, 3}};
    expect_gradients(corner, shapes);

    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, shapes[0], "x"), weight = random_leaf(*oracle, shapes[1], "w");
    const Variable zero(*oracle, host_zeros(shapes[2], DType::float64));
    const Variable whole = spectral_conv(x, weight, transform_for(x, {1, 2, 2}));
    expect_close(corner({x, weight, zero}).value(), crop(whole, kept).value(), 1e-14);
}

TEST(SpectralConv, PassesGradientsOnlyWhereWanted) {
    const std::vector<Shape> shapes{{2, 3, 4, 2}, {2, 2, 2, 2, 2}};
    expect_gradients(spectral({1, 2}), shapes, {0});
    expect_gradients(spectral({1, 2}), shapes, {1});
}

TEST(SpectralConv, AddsAndActivates) {
    for (const Activation& f : {Activation::relu(), Activation{Activation::Kind::gelu}}) {
        expect_gradients(
            [&](const Inputs& in) {
                Variable sum = activate(in[2], {Activation::Kind::tanh});
                return spectral_conv(in[0], in[1], transform_for(in[0], {1, 2}), {std::move(sum), f});
            },
            {{2, 3, 4, 2}, {2, 2, 2, 2, 3}, {2, 3, 4, 3}});
    }
}

TEST(SpectralConv, GivesOverwrittenModesNoGradient) {
    const auto oracle = make_oracle_backend();
    const Variable x = random_leaf(*oracle, {1, 3, 4, 1}, "x"), weight = random_leaf(*oracle, {4, 2, 2, 1, 1}, "w");
    const Variable y = spectral_conv(x, weight, transform_for(x, {2, 2}));
    backward(y, cotangent(*oracle, y.shape()));
    const std::vector<double> gradient = as_double(weight.gradient());
    // Stored 0, 1, -2, -1 on three cells: 1 is -2.
    for (std::size_t k = 0; k < 4; ++k) {
        const bool any = std::any_of(gradient.begin() + static_cast<std::ptrdiff_t>(4 * k),
                                     gradient.begin() + static_cast<std::ptrdiff_t>(4 * k + 4),
                                     [](double value) { return value != 0.0; });
        EXPECT_EQ(any, k != 1) << k;
    }
}

TEST(SpectralConv, OfAConstantFieldUsesTheZeroModeAlone) {
    const auto oracle = make_oracle_backend();
    Parameters parameters(*oracle, 1);
    const SpectralConv layer(Scope(parameters).child("spectral"), {2, 2, 2}, 1, 1);
    Tensor ones = host_zeros({1, 4, 5, 3, 1}, DType::float64);
    std::ranges::fill(ones.values<double>(), 1.0);
    const Variable y = layer(Variable(*oracle, std::move(ones)));
    const double real = as_double(layer.weight().value())[0];
    for (double value : as_double(y.value())) {
        EXPECT_NEAR(value, real, 1e-12);
    }
}

TEST(SpectralConv, StartsAsPublished) {
    const auto oracle = make_oracle_backend();
    Parameters parameters(*oracle, 1);
    const SpectralConv layer(Scope(parameters).child("spectral"), {2, 3, 4}, 5, 2);
    EXPECT_EQ(layer.weight().shape().text(), "[4, 6, 4, 2, 5, 2]");
    EXPECT_EQ(parameters.count(), 4 * 6 * 4 * 5 * 2);
    const std::vector<double> values = as_double(layer.weight().value());
    EXPECT_GE(std::ranges::min(values), 0.0);
    EXPECT_LE(std::ranges::max(values), 0.1);
    EXPECT_GT(std::ranges::max(values), 0.099);
}

TEST(SpectralConv, ServesSeveralGridsWithOneWeight) {
    const auto oracle = make_oracle_backend();
    Parameters parameters(*oracle, 1);
    const SpectralConv layer(Scope(parameters).child("spectral"), {2, 2}, 1, 1);
    const Variable coarse = layer(random_leaf(*oracle, {1, 5, 4, 1}, "x"));
    const Variable fine = layer(random_leaf(*oracle, {1, 10, 8, 1}, "x"));
    EXPECT_EQ(coarse.shape().text(), "[1, 5, 4, 1]");
    EXPECT_EQ(fine.shape().text(), "[1, 10, 8, 1]");
    EXPECT_THROW(layer(random_leaf(*oracle, {1, 5, 1, 1}, "x")), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
