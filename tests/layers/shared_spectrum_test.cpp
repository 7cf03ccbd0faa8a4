#include <plumecast/layers/shared_spectrum.hpp>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/layers/spectral_conv.hpp>

#include "support/comparison.hpp"
#include "support/gradient_check.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using Scaling = SharedSpectrum::Scaling;

struct GridCase {
    Shape extents;  ///< space and T
    std::vector<std::int64_t> modes;
    std::vector<GridShape> grids;
};

/// Partitions of one and of two axes for all numbers of ranks: odd extents, fewer rows of modes than ranks, modes that
/// a small axis holds twice, a time of odd length.
const std::vector<GridCase> grid_cases{
    {{4, 9, 5}, {1, 3, 2}, {{1, 1}, {1, 2}, {1, 3}, {2, 2}, {1, 4}, {1, 6}, {2, 3}, {1, 8}}},
    {{3, 5, 7, 4},
     {1, 2, 3, 2},
     {{1, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 1, 3}, {1, 2, 2}, {1, 4, 1}, {1, 3, 2}, {1, 2, 3}, {1, 2, 4}, {2, 2, 2}}},
    {{2, 9, 4, 3}, {2, 2, 3, 1}, {{1, 1, 2}, {1, 1, 4}, {1, 3, 1}, {2, 1, 3}, {1, 2, 4}}},
};

/// The first axis of an array is never cut.
Box between(const Box& space, const Shape& whole) {
    Box box(whole);
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
    }
    return box;
}

Shape field_shape(const Shape& extents, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (const std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

Tensor part_of(Backend& backend, ConstView whole, const Box& box) {
    Tensor part(backend.memory(), box.extents(), backend.compute_type());
    backend.copy_box(whole, box.low(), {part}, Box(box.extents()).low(), box.extents());
    return part;
}

using Body = std::function<void(Backend&, const ProcessGrid&, const GridCase&)>;

/// Runs a body on every grid of this job, or on all of them, by every route.
void on_grids(const Body& body) {
    for (const GridCase& c : grid_cases) {
        for (const GridShape& shape : c.grids) {
            for (const Route route : {Route::reduce, Route::transpose, Route::automatic}) {
                SCOPED_TRACE(c.extents.text() + " on " + shape.text() + ", route " +
                             std::to_string(static_cast<int>(route)));
                on_ranks(shape.ranks(), [&](Communicator& world) {
                    const auto backend = make_oracle_backend();
                    body(*backend, ProcessGrid(world, shape, route), c);
                });
            }
        }
    }
}

TEST(SharedSpectrumOnRanks, MakesALayerOnBoxesThatOfOneRank) {
    on_grids([](Backend& backend, const ProcessGrid& grid, const GridCase& c) {
        const std::int64_t batch = 2, inputs = 2, outputs = 3;
        Parameters whole(backend, 1), shared(backend, 1, &grid);
        const SpectralConv expected_layer(Scope(whole).child("layer"), c.modes, inputs, outputs);
        const SpectralConv layer(Scope(shared).child("layer"), c.modes, inputs, outputs);
        const Shape space = c.extents.slice(0, c.extents.rank() - 1);
        const Partition partition = grid.partition(space);
        const Variable x = random_leaf(backend, field_shape(c.extents, batch, inputs), "x");
        const Variable expected = expected_layer(x, {{}, {Activation::Kind::tanh}});
        const Tensor upstream = cotangent(backend, expected.shape());
        const Box in = between(partition.held(), x.shape()), out = between(partition.held(), expected.shape());

        const Variable own(backend, part_of(backend, x.value(), in), true);
        const Levels levels = grid.partitions_space() ? Levels(partition) : Levels();
        const Variable y = layer(own, {{}, {Activation::Kind::tanh}}, levels);
        expect_close(y.value(), part_of(backend, expected.value(), out), 1e-12, "output");
        backward(expected, part_of(backend, upstream, Box(upstream.shape())));
        backward(y, part_of(backend, upstream, out));
        expect_close(own.gradient(), part_of(backend, x.gradient(), in), 1e-12, "input gradient");
        const ConstView weights = shared.held_part(shared.at("layer.weight"), expected_layer.weight().gradient());
        if (weights.shape.count() > 0) {
            expect_close(layer.weight().gradient(), weights, 1e-12, "weight gradient");
        }
    });
}

TEST(SharedSpectrumOnRanks, InverseIsTheTransposeOfForward) {
    on_grids([](Backend& backend, const ProcessGrid& grid, const GridCase& c) {
        const std::int64_t batch = 2, channels = 3;
        const Partition partition = grid.partition(c.extents.slice(0, c.extents.rank() - 1));
        Shape modes;
        for (std::size_t axis = 0; axis + 1 < c.modes.size(); ++axis) {
            modes = modes.append(2 * c.modes[axis]);
        }
        const AxisPartition owners = grid.owners(modes);
        const SharedSpectrum spectrum(backend, c.extents, c.modes, grid.partitions_space() ? &partition : nullptr,
                                      c.extents, grid, owners);
        const auto place = static_cast<std::size_t>(grid.space().rank());
        const Tensor x = random_tensor(field_shape(c.extents, batch, channels), DType::float64, "x");
        const Tensor y = random_tensor({batch, modes.count(), 2, c.modes.back(), channels}, DType::float64, "y");
        const Tensor own_x = part_of(backend, x, between(partition.held(), x.shape()));
        const Box mine = Box(y.shape()).with(1, owners[place], owners[place + 1]);
        for (const Scaling scaling : {Scaling::plain, Scaling::inverse}) {
            const Tensor image =
                spectrum.finish_forward(backend, spectrum.start_forward(backend, own_x, scaling), batch, channels);
            ASSERT_EQ(image.shape(), mine.extents());
            Tensor back(backend.memory(), own_x.shape(), DType::float64);
            spectrum.finish_inverse(spectrum.start_inverse(backend, part_of(backend, y, mine)), {back}, {}, scaling);
            std::array<double, 3> sums{dot(image, part_of(backend, y, mine)), dot(own_x, back), dot(image, image)};
            grid.space().sum(sums);
            EXPECT_NEAR(sums[0], sums[1], 1e-12 * std::sqrt(sums[2] * dot(y, y)));
        }
    });
}

/// Sizes that all parts divide, so that the formula of SharedSpectrum holds to the byte.
Traffic sent_by_one_transform(const ProcessGrid& grid, bool& goes_back) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Shape extents{6, 12, 24, 5};
    const std::vector<std::int64_t> modes{6, 4, 6, 2};
    const Partition partition = grid.partition({6, 12, 24});
    const SharedSpectrum spectrum(*backend, extents, modes, &partition, extents, grid, grid.owners({12, 8, 12}));
    const Shape held = partition.held().extents();
    const Tensor x = random_tensor({2, held[0], held[1], held[2], 5, 3}, DType::float32, "x");
    const auto forward = [&] {
        return spectrum.finish_forward(*backend, spectrum.start_forward(*backend, x, Scaling::plain), 2, 3);
    };
    forward();  // the plans are compared on the first use
    const Traffic before = grid.traffic();
    Tensor own = forward();
    const Traffic there = grid.traffic();
    Tensor back(backend->memory(), x.shape(), DType::float32);
    spectrum.finish_inverse(spectrum.start_inverse(*backend, std::move(own)), {back}, {}, Scaling::plain);
    const Traffic again = grid.traffic();
    goes_back = again.bytes - there.bytes == there.bytes - before.bytes &&
                again.messages - there.messages == there.messages - before.messages;
    return {there.bytes - before.bytes, there.messages - before.messages};
}

TEST(SharedSpectrumOnRanks, SendsWhatTheFormulaSays) {
    for (const GridShape& shape : {GridShape{1, 2, 1}, GridShape{1, 1, 2}, GridShape{1, 3, 1}, GridShape{1, 2, 2},
                                   GridShape{1, 3, 2}, GridShape{1, 2, 3}, GridShape{1, 4, 2}, GridShape{1, 2, 4}}) {
        for (const Route route : {Route::reduce, Route::transpose, Route::automatic}) {
            SCOPED_TRACE(shape.text() + ", route " + std::to_string(static_cast<int>(route)));
            on_ranks(shape.ranks(), [&](Communicator& world) {
                const ProcessGrid grid(world, shape, route);
                bool goes_back = false;
                const Traffic sent = sent_by_one_transform(grid, goes_back);
                const auto cells_or_modes = [&](std::int64_t cells, std::int64_t kept, int parts) {
                    const std::int64_t here = cells / parts;
                    const bool is_cut = parts > 1;
                    return route == Route::reduce      ? kept
                           : route == Route::transpose ? here
                           : is_cut                    ? std::min(here, kept)
                                                       : kept;
                };
                const std::int64_t per_mode = 2 * 4 * 2 * 3 * 12 * 2;  // complex float, B, C, Kz, Kt
                const std::int64_t n_x = cells_or_modes(24, 12, shape.x), n_y = cells_or_modes(12, 8, shape.y);
                EXPECT_EQ(sent.bytes, per_mode * n_x * n_y * (shape.y - 1) / shape.y +
                                          per_mode * n_x * 8 / shape.y * (shape.x - 1) / shape.x);
                EXPECT_EQ(sent.messages, shape.x - 1 + shape.y - 1);
                EXPECT_TRUE(goes_back) << "the inverse sends as much";
            });
        }
    }
}

TEST(AxisExchangeOnRanks, AddsWhereRowsAreShared) {
    on_several_ranks([](Communicator& ranks) {
        const auto backend = make_oracle_backend();
        const std::int64_t rows = 3, modes = 4, cells = 10, inner = 2;
        const AxisPartition held = balanced_partition(cells, ranks.size()),
                            owned = balanced_partition(rows * modes, ranks.size());
        const AxisExchange exchange(ranks, {rows, modes, held, owned, true});
        const auto me = static_cast<std::size_t>(ranks.rank());
        const Tensor x =
            random_tensor({1, rows, held[me + 1] - held[me], inner}, DType::float64, "x of " + std::to_string(me));
        const Tensor y =
            random_tensor({1, exchange.covered(), cells, inner}, DType::float64, "y of " + std::to_string(me));
        Tensor lines = exchange.to_owners(*backend, part_of(*backend, x, Box(x.shape()))).wait();
        Tensor back = exchange.to_holders(*backend, part_of(*backend, y, Box(y.shape()))).wait();
        std::array<double, 3> sums{dot(lines, y), dot(x, back), dot(y, y)};
        ranks.sum(sums);
        EXPECT_NEAR(sums[0], sums[1], 1e-12 * sums[2]);

        const Tensor all = random_tensor({1, exchange.covered() * modes, inner}, DType::float64, "modes");
        const Tensor own = random_tensor({1, exchange.owned(), inner}, DType::float64, "own");
        const Tensor crop = exchange.cropped(*backend, part_of(*backend, all, Box(all.shape())));
        const Tensor wide = exchange.widened(*backend, part_of(*backend, own, Box(own.shape())));
        EXPECT_NEAR(dot(crop, own), dot(all, wide), 1e-12);
    });
}

}  // namespace
}  // namespace plumecast::testing
