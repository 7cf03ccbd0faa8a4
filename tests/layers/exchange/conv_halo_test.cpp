#include <plumecast/layers/exchange/halo_field.hpp>

#include <array>

#include <gtest/gtest.h>

#include <plumecast/layers/conv.hpp>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// The box of a tensor in host memory.
Tensor part_of(Backend& backend, const Tensor& whole, const Box& box) {
    Tensor part(backend.memory(), box.extents(), DType::float64);
    Shape zeros = whole.shape();
    for (int axis = 0; axis < zeros.rank(); ++axis) {
        zeros = zeros.with(axis, 0);
    }
    backend.copy_box(whole, box.low(), {part}, zeros, box.extents());
    return part;
}

Tensor copy_of(Backend& backend, ConstView x) {
    Tensor copy(backend.memory(), x.shape, DType::float64);
    backend.add(1.0, x, {copy});
    return copy;
}

struct HaloCase {
    const char* name;
    ConvGeometry geometry;
    Shape input;  ///< [B, z, r, T, C]
    std::int64_t outputs;
    std::vector<AxisPartition> cuts;  ///< of the input, for four ranks
};

std::vector<HaloCase> halo_cases() {
    return {{"even cuts", kernel3(1), {2, 4, 8, 3, 2}, 3, {{0, 4}, {0, 2, 4, 6, 8}}},
            {"odd cuts", kernel3(1), {1, 3, 9, 2, 2}, 2, {{0, 3}, {0, 1, 4, 7, 9}}},
            {"both axes", kernel3(1), {1, 5, 6, 2, 2}, 2, {{0, 2, 5}, {0, 3, 6}}},
            {"a rank with nothing", kernel3(1), {1, 3, 5, 2, 2}, 2, {{0, 3}, {0, 2, 2, 3, 5}}},
            {"halving", kernel3(2), {1, 4, 16, 4, 2}, 3, {{0, 4}, {0, 4, 8, 12, 16}}},
            {"halving at odd cuts", kernel3(2), {1, 4, 11, 4, 2}, 3, {{0, 4}, {0, 3, 6, 7, 11}}},
            {"halving both axes", kernel3(2), {1, 7, 8, 4, 1}, 2, {{0, 3, 7}, {0, 5, 8}}},
            {"halving leaves a rank nothing", kernel3(2), {1, 4, 8, 4, 2}, 2, {{0, 4}, {0, 1, 2, 5, 8}}},
            {"five taps over one cell",
             {.kernel = {5, 5, 1}, .padding_low = {2, 2, 0}, .padding_high = {2, 2, 0}},
             {1, 3, 6, 2, 1},
             2,
             {{0, 3}, {0, 1, 2, 3, 6}}}};
}

/// Output and all gradients of the convolution on four ranks are the boxes of those on one.
void expect_like_one_rank(const HaloCase& c, bool transposed) {
    SCOPED_TRACE(std::string(c.name) + (transposed ? ", transposed" : ""));
    on_ranks(4, [&](Communicator& communicator) {
        const auto backend = make_oracle_backend();
        const Partition fine(communicator, c.cuts);
        const bool halves = c.geometry.stride[0] == 2;
        const Partition other = halves ? fine.coarser() : fine;
        const Partition &from = transposed ? other : fine, &to = transposed ? fine : other;
        const ConvGeometry geometry = transposed ? doubling4() : c.geometry;
        Shape shape = c.input;
        if (transposed) {
            shape = shape.with(1, from.extents()[0]).with(2, from.extents()[1]).with(3, 2);
        }
        const auto& k = geometry.kernel;
        const Shape weight_shape =
            transposed ? Shape{shape[4], k[0], k[1], k[2], c.outputs} : Shape{c.outputs, k[0], k[1], k[2], shape[4]};
        const Tensor x = random_tensor(shape, DType::float64, "x");
        const auto leaf = [&](Tensor value) { return Variable(*backend, std::move(value), true); };
        const Variable weight = leaf(random_tensor(weight_shape, DType::float64, "weight"));
        const Variable bias = leaf(random_tensor({c.outputs}, DType::float64, "bias"));

        const Variable whole_x = leaf(copy_of(*backend, x));
        const Variable expected = conv(geometry, {whole_x}, weight, bias, {{}, Activation{Activation::Kind::tanh}});
        const Tensor upstream = random_tensor(expected.shape(), DType::float64, "upstream");
        backward(expected, copy_of(*backend, upstream));
        const Tensor weight_gradient = copy_of(*backend, weight.gradient());
        const Tensor bias_gradient = copy_of(*backend, bias.gradient());
        weight.clear_gradient();
        bias.clear_gradient();

        const auto me = static_cast<std::size_t>(communicator.rank());
        const Box in_box = from.layout(shape[0], shape[3], shape[4])[me][0];
        const Box out_box = to.layout(shape[0], expected.shape()[3], c.outputs)[me][0];
        const ConvHalo halo(geometry, from, to);
        const Variable own_x = leaf(part_of(*backend, x, in_box));
        const Variable own = conv(halo, {own_x}, weight, bias, {{}, Activation{Activation::Kind::tanh}});
        ASSERT_EQ(own.shape(), out_box.extents());
        EXPECT_EQ(halo.output_shape(own_x.shape(), c.outputs), out_box.extents());
        backward(own, part_of(*backend, upstream, out_box));
        // With nothing on either side there is nothing to compare.
        if (!out_box.empty()) {
            expect_close(own.value(), part_of(*backend, copy_of(*backend, expected.value()), out_box), 1e-13, "output");
        }
        if (!in_box.empty()) {
            expect_close(own_x.gradient(), part_of(*backend, copy_of(*backend, whole_x.gradient()), in_box), 1e-13,
                         "input gradient");
        }
        Tensor weight_sum = copy_of(*backend, weight.gradient()), bias_sum = copy_of(*backend, bias.gradient());
        communicator.sum(weight_sum.values<double>());
        communicator.sum(bias_sum.values<double>());
        expect_close(weight_sum, weight_gradient, 1e-13, "weight gradient");
        expect_close(bias_sum, bias_gradient, 1e-13, "bias gradient");
    });
}

TEST(ConvHaloOnRanks, MakesManyRanksLikeOne) {
    for (const HaloCase& c : halo_cases()) {
        expect_like_one_rank(c, false);
    }
}

TEST(ConvHaloOnRanks, MakesTransposedConvolutionsOnManyRanksLikeOne) {
    for (const HaloCase& c : halo_cases()) {
        const bool halves_evenly = c.geometry.stride[0] == 2 && c.input[1] % 2 == 0 && c.input[2] % 2 == 0;
        if (halves_evenly) {
            expect_like_one_rank(c, true);
        }
    }
    expect_like_one_rank({"odd cuts", kernel3(2), {1, 4, 12, 4, 2}, 3, {{0, 4}, {0, 3, 7, 8, 12}}}, true);
    expect_like_one_rank({"both axes", kernel3(2), {2, 6, 8, 4, 1}, 2, {{0, 3, 6}, {0, 5, 8}}}, true);
    expect_like_one_rank({"a rank with nothing", kernel3(2), {1, 4, 8, 4, 2}, 2, {{0, 4}, {0, 1, 2, 5, 8}}}, true);
}

TEST(ConvHaloOnRanks, SendsOneNeighbouringCellOfAUNetAtMost) {
    on_ranks(4, [](Communicator& communicator) {
        const Partition fine(communicator, {{0, 8}, {0, 5, 11, 18, 24}});
        const Partition coarse = fine.coarser();
        const auto backend = make_oracle_backend();
        for (const auto& [geometry, from, to] :
             {std::tuple(kernel3(1), fine, fine), std::tuple(kernel3(2), fine, coarse),
              std::tuple(doubling4(), coarse, fine)}) {
            const Box own = from.held();
            const Shape shape{1, own.extents()[0], own.extents()[1], 2, 1};
            const Variable x(*backend, host_zeros(shape, DType::float64));
            const Shape needed = ConvHalo(geometry, from, to).sent_box(x.shape()).extents();
            EXPECT_LE(needed[2], own.extents()[1] + 2);
        }
    });
}

}  // namespace
}  // namespace plumecast::testing
