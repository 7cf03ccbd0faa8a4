#include <plumecast/layers/spectral_conv.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <plumecast/distributed/placement.hpp>
#include <plumecast/layers/lift.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using Inputs = std::vector<Variable>;

std::shared_ptr<const SpectralTransform> transform_for(const Variable& x, const std::vector<std::int64_t>& modes) {
    return std::make_shared<const SpectralTransform>(x.backend(), x.shape().slice(1, x.shape().rank() - 1), modes);
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
        const auto transform = std::make_shared<const SpectralTransform>(in[0].backend(), extents, modes, Box(kept));
        return spectral_conv(in[0], in[1], {transform_for(in[0], modes), {}}, {transform, {}}, {in[2]});
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

struct SharedCase {
    Shape extents;  ///< space and T
    std::vector<std::int64_t> modes;
    std::vector<Cuts> cuts;  ///< of space, for four ranks
    Cuts owners;             ///< of the kept modes
};

// Cuts of one and of two axes, a rank without cells, ranks without modes.
const std::vector<SharedCase> shared_cases{
    {{4, 9, 5}, {1, 3, 2}, {{0, 4}, {0, 3, 5, 7, 9}}, balanced_cuts(12, 4)},
    {{3, 6, 4}, {1, 2, 3}, {{0, 3}, {0, 1, 1, 4, 6}}, {0, 3, 3, 8, 8}},
    {{3, 5, 4, 4}, {1, 2, 1, 2}, {{0, 3}, {0, 2, 5}, {0, 1, 4}}, balanced_cuts(16, 4)}};

TEST(SpectralConv, OfBoxesOnManyRanksIsThatOfOne) {
    for (const SharedCase& c : shared_cases) {
        SCOPED_TRACE(c.extents.text());
        on_ranks(4, [&](Communicator& communicator) {
            const auto backend = make_oracle_backend();
            const Placement placement(communicator, c.cuts);
            const auto me = static_cast<std::size_t>(communicator.rank());
            const std::int64_t channels = 2, outputs = 3, times = c.extents[-1], steps = c.modes.back();
            const Box box = placement.layout(2, times, channels)[me][0],
                      out = placement.layout(2, times, outputs)[me][0];
            const auto part = [&](ConstView all, const Box& of) {
                Tensor result(backend->memory(), of.extents(), DType::float64);
                backend->copy_box(all, of.low(), {result}, Box(of.extents()).low(), of.extents());
                return result;
            };
            const auto leaf = [&](Tensor value) { return Variable(*backend, std::move(value), true); };
            const auto copied = [&](const Tensor& x) { return part(x, Box(x.shape())); };
            Shape field{2};
            for (const std::int64_t extent : c.extents.extents()) {
                field = field.append(extent);
            }
            const Tensor x = random_tensor(field.append(channels), DType::float64, "x");
            const Tensor g = random_tensor(field.append(outputs), DType::float64, "g");
            const Tensor w = random_tensor({c.owners.back(), steps, 2, channels, outputs}, DType::float64, "w");

            const Variable whole_x = leaf(copied(x)), whole_w = leaf(copied(w));
            const Variable expected =
                spectral_conv(whole_x, whole_w, transform_for(whole_x, c.modes), {{}, {Activation::Kind::tanh}});
            backward(expected, copied(g));

            const auto transform =
                std::make_shared<const SpectralTransform>(*backend, c.extents, c.modes, placement.held());
            const auto modes = std::make_shared<const ModeExchange>(communicator, c.owners);
            const Variable own_x = leaf(part(x, box));
            const Box weights = Box(w.shape()).with(0, c.owners[me], c.owners[me + 1]);
            const Variable own_w = leaf(part(w, weights));
            const Variable y = spectral_conv(own_x, own_w, transform, {{}, {Activation::Kind::tanh}}, {modes, nullptr});
            backward(y, part(g, out));
            if (!box.empty()) {
                expect_close(y.value(), part(expected.value(), out), 1e-12, "output");
                expect_close(own_x.gradient(), part(whole_x.gradient(), box), 1e-12, "input gradient");
            }
            if (!weights.empty()) {
                expect_close(own_w.gradient(), part(whole_w.gradient(), weights), 1e-12, "weight gradient");
            }
        });
    }
}

TEST(SpectralConv, ByTransposesIsThatOfOneRank) {
    for (const int ranks : {1, 2, 3, 5}) {
        on_ranks(ranks, [](Communicator& world) {
            const auto backend = make_oracle_backend();
            const ProcessGrid alone(world, {world.size(), 1, 1}, Route::reduce);
            const ProcessGrid grid(world, {1, world.size(), 1}, Route::transpose);
            Parameters whole(*backend, 1, &alone), shared(*backend, 1, &grid);
            const SpectralConv expected_layer(Scope(whole).child("layer"), {1, 3, 2}, 2, 3);
            const SpectralConv layer(Scope(shared).child("layer"), {1, 3, 2}, 2, 3);
            const Placement placement = grid.placement({4, 9});
            const auto me = static_cast<std::size_t>(grid.space().rank());
            const auto part = [&](ConstView all, const Box& of) {
                Tensor result(backend->memory(), of.extents(), DType::float64);
                backend->copy_box(all, of.low(), {result}, Box(of.extents()).low(), of.extents());
                return result;
            };
            const Box in = placement.layout(2, 5, 2)[me][0], out = placement.layout(2, 5, 3)[me][0];
            const Variable x = random_leaf(*backend, {2, 4, 9, 5, 2}, "x");
            const Variable own_x(*backend, part(x.value(), in), true);
            const Variable expected = expected_layer(x);
            const Levels levels = world.size() > 1 ? Levels(placement) : Levels();
            const Variable y = layer(own_x, {}, levels);
            backward(expected, cotangent(*backend, expected.shape()));
            backward(y, part(cotangent(*backend, {2, 4, 9, 5, 3}), out));
            expect_close(y.value(), part(expected_layer(x).value(), out), 1e-12, "output");
            expect_close(own_x.gradient(), part(x.gradient(), in), 1e-12, "input gradient");
            const Tensor weights = part(expected_layer.weight().gradient(), Box(expected_layer.weight().shape()));
            expect_close(layer.weight().gradient(),
                         shared.held_part(shared.at("layer.weight"), std::as_const(weights).view()), 1e-12,
                         "weight gradient");
        });
    }
}

TEST(SpectralConv, SendsTwoCutAxesInTwoStages) {
    on_ranks(6, [](Communicator& world) {
        const auto backend = make_oracle_backend();
        const ProcessGrid grid(world, {1, 3, 2});
        const ModeExchange exchange(grid, 12);
        EXPECT_EQ(exchange.owned(), 2);
        const Tensor share = random_tensor({1, 12, 2, 1, 2}, DType::float64, "share");
        Tensor own = exchange.summed(*backend, share);  // the plans are compared on the first use
        const Traffic before = grid.traffic();
        own = exchange.summed(*backend, share);
        EXPECT_EQ(grid.traffic().bytes - before.bytes, 12 * 4 * 8 * 5 / 6);
        EXPECT_EQ(grid.traffic().messages - before.messages, 1 + 2);
        const Tensor all = exchange.gathered(*backend, own);
        for (std::size_t i = 0; i < 48; ++i) {
            EXPECT_NEAR(all.values<double>()[i], 6.0 * share.values<double>()[i], 1e-12);
        }
    });
}

TEST(SpectralConv, SendsItsShareOfTheKeptModesAlone) {
    on_ranks(4, [](Communicator& communicator) {
        const auto backend = make_oracle_backend();
        const Placement placement(communicator, {{0, 4}, balanced_cuts(64, 4)});
        const std::vector<std::int64_t> modes = {1, 3, 2};
        const ModeExchange exchange(communicator, balanced_cuts(12, 4));
        const SpectralTransform transform(*backend, {4, 64, 5}, modes, placement.held());
        const Tensor field = random_tensor({2, 4, 16, 5, 3}, DType::float64, "x");
        const Tensor share = transform.analyse(field, SpectralTransform::Scaling::plain);
        Tensor own = exchange.summed(*backend, share);  // the plans are compared on the first use
        const Traffic before = communicator.traffic();
        own = exchange.summed(*backend, share);
        const std::int64_t bytes = 2 * 8 * 2 * 3 * (2 * 2) * 6 * 3 / 4;  // B C Kz Kt Kr (1 - 1/P) complex numbers
        EXPECT_EQ(communicator.traffic().bytes - before.bytes, bytes);
        EXPECT_EQ(communicator.traffic().messages - before.messages, 3);
        exchange.gathered(*backend, own);
        EXPECT_EQ(communicator.traffic().bytes - before.bytes, 2 * bytes);
    });
}

}  // namespace
}  // namespace plumecast::testing
