#include <array>

#include <gtest/gtest.h>

#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/exchange/halo_field.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// Partitions of the last axis, or of the last two, for any number of ranks; odd parts, and with many ranks single
/// cells.
Partition placement_for(Communicator& ranks, int axes) {
    const int y = axes == 3 && ranks.size() % 2 == 0 ? 2 : 1, x = ranks.size() / y;
    std::vector<AxisPartition> cuts{{0, 2}};
    if (axes == 3) {
        cuts.push_back(balanced_partition(6, y));
    }
    cuts.push_back(balanced_partition(10, x));
    return {ranks, std::move(cuts)};
}

Tensor box_of(Backend& backend, ConstView whole, const Box& box) {
    Tensor part(backend.memory(), box.extents(), DType::float64);
    backend.copy_box(whole, box.low(), {part}, Box(box.extents()).low(), box.extents());
    return part;
}

struct Case {
    const char* name;
    ConvGeometry (*geometry)(const ConvAxes&);
    int from, to;  ///< levels
};

const std::vector<Case> cases{{"kernel 3", [](const ConvAxes& axes) { return kernel3(1, axes); }, 0, 0},
                              {"halving", [](const ConvAxes& axes) { return kernel3(2, axes); }, 0, 1},
                              {"doubling by 4", [](const ConvAxes& axes) { return doubling4(axes); }, 1, 0},
                              {"doubling by 3", [](const ConvAxes& axes) { return doubling3(axes); }, 1, 0}};

void expect_like_one_rank(Communicator& ranks, const Case& c, const ConvAxes& axes) {
    SCOPED_TRACE(std::string(c.name) + " on " + std::to_string(axes.space) + " axes, " + std::to_string(ranks.size()) +
                 " ranks");
    const auto backend = make_oracle_backend();
    const Levels levels(placement_for(ranks, axes.space));
    const ConvGeometry geometry = c.geometry(axes);
    const std::int64_t inputs = 2, outputs = 3, times = 2;
    const auto me = static_cast<std::size_t>(ranks.rank());
    const Shape space = levels.at(c.from).extents();
    Shape shape{1};
    for (const std::int64_t extent : space.extents()) {
        shape = shape.append(extent);
    }
    const Variable x = random_leaf(*backend, shape.append(times).append(inputs), "x");
    const Variable weight = random_leaf(*backend, geometry.weight_shape(inputs, outputs), "weight");
    const Variable own_weight = random_leaf(*backend, geometry.weight_shape(inputs, outputs), "weight");
    const Variable expected = conv(geometry, {x}, weight, {});
    const Tensor upstream = cotangent(*backend, expected.shape());
    const Box in = levels.at(c.from).layout(1, times, inputs)[me][0];
    const Box out = levels.at(c.to).layout(1, times, outputs)[me][0];
    const Variable own(*backend, box_of(*backend, x.value(), in), true);
    const Variable y = conv(levels.halo(geometry, c.from, c.to), {own}, own_weight, {});
    ASSERT_EQ(y.shape(), out.extents());
    backward(expected, box_of(*backend, upstream, Box(upstream.shape())));
    backward(y, box_of(*backend, upstream, out));
    if (!out.empty()) {
        expect_close(y.value(), box_of(*backend, expected.value(), out), 1e-12, "output");
    }
    if (!in.empty()) {
        expect_close(own.gradient(), box_of(*backend, x.gradient(), in), 1e-12, "input gradient");
    }
    Tensor sum = box_of(*backend, own_weight.gradient(), Box(own_weight.shape()));
    ranks.sum(sum.values<double>());
    expect_close(sum, weight.gradient(), 1e-12, "weight gradient");
}

TEST(ConvHaloOnRanks, MakesAnyNumberOfRanksLikeOneOnTwoAndThreeAxes) {
    on_several_ranks([](Communicator& ranks) {
        for (const Case& c : cases) {
            expect_like_one_rank(ranks, c, {2, 1, false});
            expect_like_one_rank(ranks, c, {3, 1, false});
        }
    });
}

TEST(ConvHaloOnRanks, SendsGradientsByTheTranspose) {
    on_several_ranks([](Communicator& ranks) {
        const auto backend = make_oracle_backend();
        const ConvAxes axes{3, 1, false};
        const Levels levels(placement_for(ranks, 3));
        const std::vector<const ConvHalo*> uses{&levels.halo(kernel3(2, axes), 0, 1),
                                                &levels.halo(kernel3(1, axes), 0, 0)};
        const auto me = static_cast<std::size_t>(ranks.rank());
        const Shape held = levels.at(0).layout(1, 2, 2)[me][0].extents();
        const std::string name = std::to_string(me);
        const Variable x = random_leaf(*backend, held, "x of " + name);
        for (const ConvHalo* use : uses) {
            x.clear_gradient();
            const HaloField again(x, uses);
            const Variable y = again.around(*use);
            const Tensor g = random_tensor(y.shape(), DType::float64, "g of " + name);
            std::array<double, 3> sums{dot(y.value(), g), 0.0, dot(g, g)};
            backward(y, box_of(*backend, g, Box(g.shape())));
            sums[1] = dot(x.value(), x.gradient());
            ranks.sum(sums);
            EXPECT_NEAR(sums[0], sums[1], 1e-12 * sums[2]);
        }
    });
}

}  // namespace
}  // namespace plumecast::testing
