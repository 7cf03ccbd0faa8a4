#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "backend/conv/conv_cases.hpp"
#include "backend/cuda/indexing/large_arrays.hpp"
#include "backend/cuda/kernels/conv/channels.hpp"
#include "backend/cuda/kernels/conv/products.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "support/comparison.hpp"
#include "support/kernels_on_host.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

/// A few ops that need memory for intermediate results.
void run_ops(Backend& backend, View x, View sums, View moments) {
    backend.squared_norm(x);
    backend.column_sums(x, {sums, 1.0});
    backend.moments(x, moments);
    backend.upload(host_zeros({3}, DType::float64), sums);
}

TEST(Kernels, ThrowDeviceErrorAndLeaveNoMemoryBehindWhereverAnAllocationFails) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    Arrays a(*backend);
    const View x = a.random("x", {5000, 3}), sums = a.random("sums", {3}), moments = a.output64("moments", {2, 3});
    const std::size_t before = memory.live_bytes();
    std::int64_t failures = 0;
    for (bool failed = true; failed; failures += failed ? 1 : 0) {
        memory.fail_after(failures);
        try {
            run_ops(*backend, x, sums, moments);
            failed = false;
        } catch (const DeviceError&) {
        }
        memory.fail_after(-1);
        EXPECT_EQ(memory.live_bytes(), before) << "after failure " << failures;
    }
    EXPECT_GT(failures, 5);
}

TEST(Kernels, SumInPiecesThatFollowFromTheShapeAlone) {
    EXPECT_EQ(cuda::piece_count(0, 3), 1);
    EXPECT_EQ(cuda::piece_count(31, 1), 1);
    EXPECT_EQ(cuda::piece_count(6400, 36), 200);
    EXPECT_EQ(cuda::piece_count(std::int64_t{1} << 40, 1), std::int64_t{1} << 18);
    EXPECT_EQ(cuda::piece_count(std::int64_t{1} << 40, std::int64_t{1} << 20), 1);
}

TEST(Kernels, MomentsOfTwoHalvesMergeToThoseOfTheWhole) {
    const std::vector<double> values{4096.0, 4097.5, 4095.0, 4090.0, 4100.25};
    const auto of = [&](std::size_t begin, std::size_t end) {
        cuda::kernel::Moment moment;
        for (std::size_t i = begin; i < end; ++i) {
            moment.merge({1.0, values[i], 0.0});
        }
        return moment;
    };
    cuda::kernel::Moment joined = of(0, 2);
    joined.merge(of(2, 5));
    joined.merge({});
    EXPECT_EQ(joined.count, 5.0);
    EXPECT_NEAR(joined.mean, 4095.75, 1e-12);
    EXPECT_NEAR(joined.squares, of(0, 5).squares, 1e-9);
    EXPECT_NEAR(joined.squares, 57.0, 1e-9);
}

TEST(Kernels, StoreAMatrixTheOtherWayRoundWhereItsRowsAreThenOf16Bytes) {
    EXPECT_TRUE(cuda::is_better_transposed(200, 22)) << "rows of 44 bytes";
    EXPECT_FALSE(cuda::is_better_transposed(22, 200));
    EXPECT_FALSE(cuda::is_better_transposed(22, 26)) << "neither way";
    EXPECT_FALSE(cuda::is_better_transposed(200, 24)) << "both ways";
    const std::vector<float> matrix{1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    std::vector<bfloat16> transposed(6);
    const cuda::kernel::NarrowTransposed store{matrix.data(), transposed.data(), 2, 3};
    for (std::int64_t i = 0; i < 6; ++i) {
        store(i);
    }
    const std::vector<float> expected{1.0f, 4.0f, 2.0f, 5.0f, 3.0f, 6.0f};
    EXPECT_TRUE(std::ranges::equal(transposed, expected, {}, [](bfloat16 x) { return static_cast<float>(x); }));
}

template <class Position>
void expect_pairs(const cuda::kernel::ConvAxis& axis) {
    for (Position q = 0; q < static_cast<Position>(axis.coarse.value()); ++q) {
        for (Position tap = 0; tap < static_cast<Position>(axis.taps); ++tap) {
            const Position p = axis.fine_cell(q, tap);
            if (p != cuda::kernel::no_cell<Position>) {
                EXPECT_LT(p, static_cast<Position>(axis.fine.value()));
                EXPECT_EQ(axis.coarse_cell(p, tap), q);
            }
        }
    }
}

TEST(Kernels, ConvolutionCellsPairUpBothWays) {
    for (const cuda::kernel::ConvAxis axis :
         {cuda::kernel::ConvAxis{5, 5, 3, 1, 1}, {3, 5, 3, 2, 1}, {3, 6, 4, 2, 1}}) {
        expect_pairs<cuda::NarrowPosition>(axis);
        expect_pairs<cuda::WidePosition>(axis);
    }
}

/// Moves channels of three cells in arrays that begin `first` elements behind a multiple of 16 bytes, compares with the
/// definition, and returns how many indices did it.
std::int64_t indices_of_move(const cuda::kernel::ChannelMove& move, std::size_t first = 0) {
    constexpr std::int64_t cells = 3;
    alignas(16) std::array<bfloat16, 400> from{}, before{}, to{};
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] = bfloat16(static_cast<float>(i * 29 % 23) - 11.0f);
        before[i] = bfloat16(static_cast<float>(i * 31 % 19) - 9.0f);
    }
    from[first + 1] = bfloat16(std::numeric_limits<float>::quiet_NaN());
    to = before;
    CountedIndices executor;
    cuda::move_channels(executor, cells, move, std::as_const(from).data() + first, to.data() + first);
    std::array<bfloat16, 400> expected = before;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        for (std::int64_t channel = 0; channel < move.channels + move.zeros; ++channel) {
            const auto read = first + static_cast<std::size_t>(cell * move.from_channels + move.from_first + channel);
            const auto written = first + static_cast<std::size_t>(cell * move.to_channels + move.to_first + channel);
            const float constant = move.bias != nullptr && channel < move.channels ? move.bias[channel] : 0.0f;
            const float sum =
                static_cast<float>(from[read]) + move.beta * static_cast<float>(before[written]) + constant;
            expected[written] = bfloat16(channel < move.channels ? move.f(sum) : 0.0f);
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto found = static_cast<float>(to[i]), wanted = static_cast<float>(expected[i]);
        EXPECT_TRUE(found == wanted || (std::isnan(found) && std::isnan(wanted)))
            << i << ": " << found << ", " << wanted;
    }
    return executor.indices;
}

TEST(MoveChannels, TakesSixteenBytesOrEightAtOnceWhereRowsAndArraysAllowIt) {
    EXPECT_EQ(indices_of_move({.channels = 32, .from_channels = 32, .to_channels = 64, .to_first = 32}), 3 * 4);
    EXPECT_EQ(indices_of_move({.channels = 36, .from_channels = 36, .to_channels = 40, .zeros = 4}), 3 * 10);
    EXPECT_EQ(indices_of_move({.channels = 36, .from_channels = 36, .to_channels = 72, .to_first = 36}), 3 * 9);
    EXPECT_EQ(indices_of_move({.channels = 36, .from_channels = 72, .to_channels = 36, .from_first = 36}), 3 * 9);
    EXPECT_EQ(indices_of_move({.channels = 5, .from_channels = 5, .to_channels = 8, .zeros = 3}), 3 * 8);
    EXPECT_EQ(indices_of_move({.channels = 32, .from_channels = 36, .to_channels = 32, .from_first = 3}), 3 * 32);
    EXPECT_EQ(indices_of_move({.channels = 32, .from_channels = 32, .to_channels = 32}, 4), 3 * 8) << "8 bytes of 16";
    EXPECT_EQ(indices_of_move({.channels = 32, .from_channels = 32, .to_channels = 32}, 1), 3 * 32);
}

TEST(MoveChannels, AddsTheBiasAndActivatesInTheOrderOfConvolutionsAndPassesNanOn) {
    std::vector<float> bias;
    for (int channel = 0; channel < 36; ++channel) {
        bias.push_back(0.25f * static_cast<float>(channel % 7) - 0.5f);
    }
    for (const Activation f : {Activation::identity(), Activation::relu(), Activation::leaky_relu(0.1)}) {
        for (const float beta : {0.0f, 0.5f}) {
            EXPECT_EQ(indices_of_move({.channels = 36,
                                       .from_channels = 40,
                                       .to_channels = 36,
                                       .bias = bias.data(),
                                       .f = cuda::Pointwise(f),
                                       .beta = beta}),
                      3 * 9);
        }
    }
}

TEST(MoveChannels, ReachesTheLastCellsOnBothSidesOfTheBorder) {
    for (const std::int64_t cells : {border / 40 - 1, border / 36 + 1}) {
        const Untouched<bfloat16> from(cells * 36), to(cells * 40);
        if (!from.exists() || !to.exists()) {
            GTEST_SKIP() << "no addresses for " << cells << " cells";
        }
        from.elements()[cells * 36 - 1] = bfloat16(3.0f);
        to.elements()[cells * 40 - 1] = bfloat16(5.0f);
        LastIndices executor;
        cuda::move_channels(executor, cells, {.channels = 36, .from_channels = 36, .to_channels = 40, .zeros = 4},
                            static_cast<const bfloat16*>(from.elements()), to.elements());
        EXPECT_TRUE(executor.counted_narrowly()) << "packs are counted, a quarter of the elements";
        EXPECT_EQ(static_cast<float>(to.elements()[cells * 40 - 5]), 3.0f) << cells;
        EXPECT_EQ(static_cast<float>(to.elements()[cells * 40 - 1]), 0.0f) << cells;
    }
}

}  // namespace
}  // namespace plumecast::testing
